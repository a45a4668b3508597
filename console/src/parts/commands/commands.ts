import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import {
  createCommand,
  getCommand,
  listCommands,
  retryCommand,
  type CommandItem,
  type commandStates,
} from '../../../../contract/light/commands.ts';
import { countLamps, getLamp, getLampCurve, listLamps } from '../../../../contract/light/lamps.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import { callKey, useSend } from '../../api/index.ts';
import { toast } from '../index.ts';
import { useRequestIds } from './request-id.ts';
import { useAfterHeld } from './use-hold.ts';

export type CommandState = (typeof commandStates)[number];
export type Item = Static<typeof CommandItem>;
export type CommandBody = BodyOf<typeof createCommand>;

/** What an operator can ask of a lamp. `auto` means: back to its programme. */
export type Ask = { command: 'on' } | { command: 'off' } | { command: 'auto' } | { command: 'dim'; level: number };

/** Specified 11.4: state refreshes 6 s after a successful lighting update. */
export const refreshAfterMs = 6_000;

const refreshed = [listLamps, countLamps, getLamp, getLampCurve, listCommands, getCommand];

/**
 * The body of a command. A lasting one carries its end; none given: the server takes each lamp's next dusk or dawn
 * switch.
 */
export function commandBody(
  ask: Ask,
  target: Pick<CommandBody, 'deviceIds' | 'scope'>,
  until: string | null,
  reason: string,
): CommandBody {
  return {
    ...target,
    command: ask.command,
    ...(ask.command === 'dim' ? { args: { level: ask.level } } : {}),
    ...(ask.command === 'auto' || until === null ? {} : { until }),
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  };
}

/** What a request was made into; `awaitingApproval`: nothing is sent before somebody else agrees. */
export type Sent = ReplyOf<typeof createCommand>;

/** Sends and retries commands; what is on the screen is asked again 6 s later, or sooner by what the socket says. */
export function useCommands(onSent: (sent: Sent) => void) {
  const { t } = useTranslation('commands');
  const client = useQueryClient();
  const [timers] = useState(() => new Set<ReturnType<typeof setTimeout>>());
  const later = useEffectEvent(() => {
    for (const route of refreshed) void client.invalidateQueries({ queryKey: callKey(route) });
  });
  useEffect(
    () => () => {
      timers.forEach(clearTimeout);
      timers.clear();
    },
    [timers],
  );
  const afterwards = useRef((sent: Sent) => onSent(sent));
  useEffect(() => {
    afterwards.current = onSent;
  });
  const done = (sent: Sent) => {
    if (sent.state === 'awaitingApproval') toast.note(t('send.submitted'));
    timers.add(setTimeout(() => later(), refreshAfterMs));
    afterwards.current(sent);
  };
  const create = useSend(createCommand, [listCommands], { quiet: true });
  const retry = useSend(retryCommand, [listCommands], { quiet: true });
  const requests = useRequestIds();
  // The name is taken now; what is returned sends under it, also again.
  const named = (content: unknown, requestId: string, ask: (requestId: string) => Promise<Sent>) => async () => {
    const sent = await ask(requestId);
    requests.answered(content);
    done(sent);
  };
  const afterHeld = useAfterHeld();
  const [waits, setWaits] = useState(false);
  const send = (body: CommandBody): Promise<void> =>
    named(body, body.requestId ?? requests.of(body), (requestId) =>
      create.mutateAsync({ body: { ...body, requestId } }),
    )();
  return {
    pending: waits || create.isPending || retry.isPending,
    /** A body that may be sent again later brings its `requestId`. */
    send,
    /** To one lamp, without `useHold`: after what is held there, for which it would wait for ever inside it. */
    sendNext: async (body: CommandBody): Promise<void> => {
      if (body.lane === 'emergency') return send(body);
      setWaits(true);
      try {
        await afterHeld();
        await send(body);
      } finally {
        setWaits(false);
      }
    },
    /** Names the request at once; the function sends it, and may be called again after a failure. */
    retry: (id: number): (() => Promise<void>) =>
      named(id, requests.of(id), (requestId) => retry.mutateAsync({ params: { id }, body: { requestId } })),
  };
}

/**
 * In the order of the funnel; the last is everything that went wrong. `waiting` (held back) is shown where there is
 * any.
 */
export const funnelSteps = ['confirmed', 'acknowledged', 'sent', 'queued', 'waiting', 'failed'] as const;
export type FunnelStep = (typeof funnelSteps)[number];

const stepOf: Record<CommandState, FunnelStep | null> = {
  confirmed: 'confirmed',
  acknowledged: 'acknowledged',
  sent: 'sent',
  queued: 'queued',
  waiting: 'waiting',
  failed: 'failed',
  timedOut: 'failed',
  expired: 'failed',
  superseded: null,
  cancelled: null,
};

/** How many devices stand at which step; superseded and cancelled ones are counted apart, they are nobody's failure. */
export function funnel(
  states: Readonly<Record<string, number>>,
): Record<FunnelStep | 'superseded' | 'cancelled', number> {
  const counts: Record<FunnelStep | 'superseded' | 'cancelled', number> = {
    confirmed: 0,
    acknowledged: 0,
    sent: 0,
    queued: 0,
    waiting: 0,
    failed: 0,
    superseded: 0,
    cancelled: 0,
  };
  for (const [state, count] of Object.entries(states))
    counts[stepOf[state as CommandState] ?? (state === 'cancelled' ? state : 'superseded')] += count;
  return counts;
}

/** Failures first, then what is open, then what is proven: the order of the task panel. */
export function byUrgency(items: readonly Item[]): Item[] {
  const rank: Record<CommandState, number> = {
    failed: 0,
    timedOut: 1,
    expired: 2,
    superseded: 3,
    cancelled: 3,
    acknowledged: 4,
    sent: 5,
    queued: 6,
    waiting: 7,
    confirmed: 8,
  };
  return [...items].sort(
    (a, b) => rank[a.state] - rank[b.state] || a.code.localeCompare(b.code, undefined, { numeric: true }),
  );
}

/** What the truth line needs of an item. */
export function truthOf(item: Pick<Item, 'state' | 'queuedAt' | 'sentAt' | 'acknowledgedAt' | 'endedAt'>) {
  return {
    state: item.state,
    at: {
      queued: item.queuedAt,
      sent: item.sentAt,
      acknowledged: item.acknowledgedAt,
      confirmed: item.state === 'confirmed' ? item.endedAt : null,
    },
  };
}

/** It came to an end that nobody wanted. */
export const isMissed = (state: CommandState): boolean =>
  state === 'failed' || state === 'timedOut' || state === 'expired';

export const isOpen = (state: CommandState): boolean =>
  state === 'waiting' || state === 'queued' || state === 'sent' || state === 'acknowledged';

/** Seconds between two instants, for "+0.4 s"; null when either is missing. */
export function secondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : (new Date(to).getTime() - new Date(from).getTime()) / 1000;
}

/** How many seconds are left until the limit of the step that is awaited; null when nothing is. */
export function secondsLeft(
  item: Item,
  limits: { acknowledgeSeconds: number; confirmSeconds: number },
  now: number,
): number | null {
  if (item.state !== 'sent' && item.state !== 'acknowledged') return null;
  const since = item.state === 'sent' ? item.sentAt : item.acknowledgedAt;
  if (since === null) return null;
  const limit = item.state === 'sent' ? limits.acknowledgeSeconds : limits.confirmSeconds;
  // Where the server's clock is ahead of the browser's, no more than the limit.
  return Math.min(limit, Math.max(0, Math.ceil(limit - (now - new Date(since).getTime()) / 1000)));
}
