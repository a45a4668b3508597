import { useTranslation } from 'react-i18next';
import { useOpen, usePageExists, usePermission } from '../../frame/index.ts';
import { inPreview } from '../../session/index.ts';
import type { NoticeAction } from './Notices.tsx';

/**
 * The first step where nothing is registered yet, for pages that register nothing themselves: to import devices, or to
 * register a pole, whichever the account may. Empty: it may do neither.
 */
export function useFirstStep(): { readonly action?: NoticeAction } {
  const { t } = useTranslation('parts');
  const open = useOpen();
  const exists = usePageExists();
  const mayImport = usePermission('device.import');
  const mayAdd = usePermission('device.add');
  if (inPreview()) return {};
  if (mayImport && exists('asset/imports'))
    return { action: { text: t('firstStep.import'), onClick: () => open('asset/imports') } };
  if (mayAdd && exists('pole/poles'))
    return { action: { text: t('firstStep.pole'), onClick: () => open('pole/poles') } };
  return {};
}
