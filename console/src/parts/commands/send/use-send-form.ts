import { useState } from 'react';
import { getCommandSettings } from '../../../../../contract/light/command-settings.ts';
import { useCall } from '../../../api/index.ts';
import { useErrorText } from '../../index.ts';
import { commandBody, type Ask, type CommandBody } from '../commands.ts';
import { defaultEnd, endInstant, type End } from '../EndPicker.tsx';
import { conditionsBody, mayBeEmergency, needsOf, noConditions } from './send-rules.ts';
import { noScope, useScopeStanding, type Standing } from './ScopeFields.tsx';

/** Lamps chosen one by one (with how they stand), or by road, group or controller. */
export type Target = { kind: 'lamps'; ids: readonly number[]; standing: Standing | null } | { kind: 'scope' };
export type Action = Ask['command'];

/** More lamps are not tried beforehand: it costs the database as much as the command. */
const mostTried = 2000;

/** Stands for what is being typed. */
const someReason = '-';

/** The site's rules for commands; while they are not known nothing is said beforehand and the server decides alone. */
export const usePolicy = () => useCall(getCommandSettings, undefined, { staleTime: 60_000 }).data?.policy;

/** What is being put together before it is sent, what the site will want for it, and how it is sent. */
export function useSendForm(
  target: Target,
  action: Action | null,
  onSend: (body: CommandBody) => Promise<void>,
  onClose: () => void,
) {
  const textOf = useErrorText();
  const policy = usePolicy();
  const [chosen, setChosen] = useState<Action>(action ?? 'dim');
  const [level, setLevel] = useState(60);
  const [end, setEnd] = useState<End>(defaultEnd);
  const [reason, setReason] = useState('');
  const [scope, setScope] = useState(noScope);
  const [conditions, setConditions] = useState(noConditions);
  const [wantsEmergency, setEmergency] = useState(false);
  const [tried, setTried] = useState(false);
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
  const lane = emergency ? { lane: 'emergency' as const } : {};
  const send = async (): Promise<void> => {
    setTried(true);
    setFailure(null);
    if (reasonMissing) return;
    const now = Date.now();
    try {
      await onSend({
        ...commandBody(ask, aim, endInstant(end, now), reason),
        ...conditionsBody(conditions, count, now),
        ...lane,
      });
      onClose();
    } catch (error) {
      setFailure(textOf(error));
    }
  };
  return {
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
      ready && count > 0 && count <= mostTried && !needs.approval && !reasonMissing
        ? { body: { ...commandBody(ask, aim, null, needs.reason ? someReason : ''), ...lane } }
        : null,
  };
}
export type SendForm = ReturnType<typeof useSendForm>;
