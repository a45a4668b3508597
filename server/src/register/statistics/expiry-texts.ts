import type { Language } from '../../../../catalogue/languages.ts';

/** Words of the workbook of what ends. */
export const expiryTexts: Readonly<Record<Language, { readonly warrantyUntil: string; readonly simExpiry: string; readonly days: string }>> = {
  'zh-CN': { warrantyUntil: '质保到期', simExpiry: 'SIM 卡到期', days: '剩余天数' },
  'zh-TW': { warrantyUntil: '保固到期', simExpiry: 'SIM 卡即將到期', days: '剩餘天數' },
  'en-US': { warrantyUntil: 'Warranties ending', simExpiry: 'SIM cards ending', days: 'Days left' },
  'fr-FR': { warrantyUntil: 'Garanties à échéance', simExpiry: 'Cartes SIM à échéance', days: 'Jours restants' },
  'ja-JP': { warrantyUntil: '保証期限切れ', simExpiry: 'SIM の期限切れ', days: '残り日数' },
  'ko-KR': { warrantyUntil: '보증 만료', simExpiry: 'SIM 만료', days: '남은 일수' },
};
