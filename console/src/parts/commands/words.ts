import { useTranslation } from 'react-i18next';
import { itemErrors } from '../../../../contract/light/commands.ts';
import { formatNumber, useStateWord } from '../index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { CommandState, Item } from './commands.ts';

/** What the server writes, and what devices usually say. */
const known = [
  ...itemErrors,
  'unknownCommand',
  'badArguments',
  'busy',
  'relayStuck',
  'driverFault',
  'hardwareFault',
] as const;
type KnownError = (typeof known)[number];

/** Commands and what became of them, in words of the language in force. */
export function useCommandWords() {
  const { t, i18n } = useTranslation('lamp');
  const { t: parts } = useTranslation('parts');
  const stateWord = useStateWord();
  const names = useNames();
  const title = (command: string, args: Readonly<Record<string, unknown>>): string => {
    if (command === 'dim' && typeof args.level === 'number')
      return t('command.dimTo', { level: Math.round(args.level) });
    if (command === 'on' || command === 'off' || command === 'auto' || command === 'read')
      return t(`command.${command}`);
    return names.command(command);
  };
  const error = (text: string | null, state: CommandState): string => {
    if (text !== null && (known as readonly string[]).includes(text)) return t(`error.${text as KnownError}`);
    if (text !== null && text !== '') return t('error.device', { text });
    return state === 'failed' ||
      state === 'timedOut' ||
      state === 'expired' ||
      state === 'superseded' ||
      state === 'cancelled'
      ? parts(`truth.end.${state}`)
      : '';
  };
  /** What a reading showed: level and power, as far as it had them. */
  const reading = (proof: { readonly level: number | null; readonly power: number | null }): string | null => {
    const watts = proof.power === null ? null : `${formatNumber(proof.power, i18n.language, 1)} W`;
    const level =
      proof.level === null
        ? null
        : new Intl.NumberFormat(i18n.language === 'en-XA' ? 'en-US' : i18n.language, { style: 'percent' }).format(
            Math.round(proof.level) / 100,
          );
    return [level, watts].filter(Boolean).join(' · ') || null;
  };
  const proof = (item: Pick<Item, 'proof'>): string | null => (item.proof === null ? null : reading(item.proof));
  /** Where a device stands. A read asks for no state to be confirmed: it is answered or not. */
  const standing = (state: CommandState, read: boolean): string =>
    read && state === 'confirmed'
      ? t('outcome.answered')
      : read && state === 'timedOut'
        ? t('outcome.noAnswer')
        : stateWord(state);
  /** One line for the task list: what happened, or what is waited for. */
  const outcome = (item: Item, read = false): string => {
    if (read && (item.state === 'confirmed' || item.state === 'timedOut')) return standing(item.state, read);
    switch (item.state) {
      case 'confirmed':
        return t('outcome.confirmed', { reading: proof(item) ?? '—' });
      case 'acknowledged':
        return t('outcome.acknowledged');
      case 'sent':
        return t('outcome.sent');
      case 'queued':
        return t('outcome.queued');
      case 'waiting':
        return t('outcome.waiting');
      default: {
        const words = error(item.error, item.state);
        const read = proof(item);
        return read === null ? words : t('outcome.contradicted', { words, reading: read });
      }
    }
  };
  return { title, error, proof, reading, standing, outcome };
}
