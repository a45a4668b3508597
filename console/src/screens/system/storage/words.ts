import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../parts/index.ts';
import { sizeOf } from './retention.ts';

/** `size(bytes)` and `number(n)` in the language in force. */
export function useAmounts(): { size: (bytes: number) => string; number: (n: number) => string } {
  const { i18n } = useTranslation('storage');
  return {
    size: (bytes) => { const { amount, unit, decimals } = sizeOf(bytes); return `${formatNumber(amount, i18n.language, decimals)} ${unit}`; },
    number: (n) => formatNumber(n, i18n.language, 0),
  };
}
