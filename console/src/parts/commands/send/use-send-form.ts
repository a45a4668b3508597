import { useState } from 'react';
import { getCommandSettings } from '../../../../../contract/light/command-settings.ts';
import { createCommand } from '../../../../../contract/light/commands.ts';
import { ApiError, neededBy, tryCall, useCall } from '../../../api/index.ts';
import { useErrorText } from '../../index.ts';
import { useRequestIds } from '../request-id.ts';
import { useHold } from '../use-hold.ts';
import { useCommandWords } from '../words.ts';
import { commandBody, type Ask, type CommandBody } from '../commands.ts';
import { defaultEnd, endInstant, type End } from '../EndPicker.tsx';
import { conditionsBody, mayBeEmergency, needsOf, noConditions } from './send-rules.ts';
import { noScope, useScopeStanding, type Scope, type Standing } from './ScopeFields.tsx';

/** Lamps chosen one by one (with how they stand), or by road, group or controller. */
export type Target =
  | { kind: 'lamps'; ids: readonly number[]; standing: Standing | null }
  | { kind: 'scope'; scope?: Scope };
export type Action = Ask['command'];

/** More lamps are not tried beforehand: it costs the database as much as the command. */
const mostTried = 2000;

/** Stands for what is being typed. */
const someReason = '-';

/** The site's rules for commands; while they are not known nothing is said beforehand and the server decides alone. */
export const usePolicy = () => useCall(getCommandSettings, undefined, { staleTime: 60_000 }).data?.policy;

/**
 * Asks the operator, before a command waits to be sent, for the count that the server would want typed. `waits`: a
 * second person has to agree. Throws the refusal that it would get.
 */
async function agreeBefore(body: CommandBody): Promise<{ added: Readonly<Record<string, unknown>>; waits: boolean }> {
  try {
    const { answer } = await tryCall(createCommand, { body });
    return { added: {}, waits: answer?.state === 'awaitingApproval' };
  } catch (error) {
    const added = error instanceof ApiError ? await neededBy(error) : undefined;
    if (added === undefined) throw error;
    return { added, waits: false };
  }
}

/** What is being put together before it is sent, what the site will want for it, and how it is sent. */
export function useSendForm(
  target: Target,
  action: Action | null,
  onSend: (body: CommandBody) => Promise<void>,
  onClose: () => void,
  start?: Ask,
) {
  const textOf = useErrorText();
  const hold = useHold();
  const requests = useRequestIds();
  const words = useCommandWords();
  const policy = usePolicy();
  const [chosen, setChosen] = useState<Action>(action ?? start?.command ?? 'dim');
  const [level, setLevel] = useState(start?.command === 'dim' ? start.level : 60);
  const [end, setEnd] = useState<End>(defaultEnd);
  const [reason, setReason] = useState('');
  const [scope, setScope] = useState(target.kind === 'scope' ? (target.scope ?? noScope) : noScope);
  const [conditions, setConditions] = useState(noConditions);
  const [wantsEmergency, setEmergency] = useState(false);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const inScope = useScopeStanding(scope);
  const standing = target.kind === 'lamps' ? target.standing : inScope;
  const count = target.kind === 'lamps' ? target.ids.length : (standing?.total ?? scope.lamps);
  const ask: Ask =
    chosen === 'dim' ? (level === 0 ? { command: 'off' } : { command: 'dim', level }) : { command: chosen };
  const emergency = wantsEmergency && mayBeEmergency(ask.command);
  const needs = needsOf(policy, ask, count, emergency);
  const reasonMissing = needs.reason && reason.trim() === '';
  const aim = target.kind === 'lamps' ? { deviceIds: [...target.ids] } : { scope: { [scope.name]: scope.id ?? 0 } };
  const ready = target.kind === 'lamps' || scope.id !== null;
  const triable = count <= mostTried;
  const lane = emergency ? { lane: 'emergency' as const } : {};
  const send = async (): Promise<void> => {
    setTried(true);
    setFailure(null);
    if (reasonMissing) return;
    const now = Date.now();
    const body = {
      ...commandBody(ask, aim, endInstant(end, now), reason),
      ...conditionsBody(conditions, count, now),
      ...lane,
    };
    setBusy(true);
    try {
      const agreed = needs.approval && triable ? await agreeBefore(body) : { added: {}, waits: false };
      const what = words.title(ask.command, ask.command === 'dim' ? { level: ask.level } : {});
      const named = { ...body, ...agreed.added, requestId: requests.of(body) };
      // What waits for a second person can be cancelled there, and until then nothing is sent.
      await hold({ what, lamps: agreed.waits ? 0 : count, emergency }, async () => {
        await onSend(named);
        requests.answered(body);
      });
      onClose();
    } catch (error) {
      setFailure(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    policy,
    chosen,
    setChosen,
    level,
    setLevel,
    end,
    setEnd,
    reason,
    setReason,
    scope,
    setScope,
    conditions,
    setConditions,
    emergency,
    setEmergency,
    failure,
    send,
    standing,
    count,
    ask,
    needs,
    reasonProblem: tried && reasonMissing,
    ready,
    /**
     * To be tried: what somebody still has to add or to agree to would be refused. Neither the end nor the words of a reason
     * change a number.
     */
    trial:
      ready && count > 0 && triable && !needs.approval && !reasonMissing
        ? { body: { ...commandBody(ask, aim, null, needs.reason ? someReason : ''), ...lane } }
        : null,
  };
}
export type SendForm = ReturnType<typeof useSendForm>;
