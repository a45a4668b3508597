import { useTranslation } from 'react-i18next';
import { toast, useErrorText } from '../index.ts';
import { heldAbove, holdCommand } from './hold.ts';

interface Holding {
  /** What it does, in the words of its dialog. */
  readonly what: string;
  readonly lamps: number;
  /** Never waits. */
  readonly emergency?: boolean;
}

/**
 * Sends a command that the operator has confirmed: one to few lamps, or an emergency, at once; one to more than
 * `heldAbove` behind the undo bar, resolving as soon as it waits there. `send` may be called again after a failure that
 * the operator wants repeated, so it names its request.
 */
export function useHold(): (about: Holding, send: () => Promise<unknown>) => Promise<void> {
  const { t } = useTranslation('commands');
  const textOf = useErrorText();
  return async ({ what, lamps, emergency = false }, send) => {
    if (emergency || lamps <= heldAbove) return void (await send());
    const sendNow = (): void => {
      send().catch((error: unknown) =>
        toast.failed(t('hold.failed', { what, reason: textOf(error) }), { text: t('hold.again'), onClick: sendNow }),
      );
    };
    holdCommand(what, lamps, sendNow);
  };
}
