import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { beginPreview } from '../../../../../contract/people/accounts.ts';
import { listUsers } from '../../../../../contract/specified/users.ts';
import { ApiError, call, callKey } from '../../../api/index.ts';
import { toast, useErrorText } from '../../../parts/index.ts';
import { givePreview, PREVIEW_DOOR } from '../../../session/index.ts';
import type { User } from '../../../parts/people/users/user.ts';

/** Opens the console as another account sees it, read-only, in a tab of its own. */
export function usePreviewAs(): (user: User) => Promise<void> {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const client = useQueryClient();
  return async (user) => {
    // Before anything is awaited: browsers only let the click itself open a tab.
    const tab = window.open(PREVIEW_DOOR, '_blank');
    if (tab === null) return void toast.warning(t('preview.blocked'), 8_000);
    try {
      await givePreview(tab, call(beginPreview, { params: { id: user.id } }, { quiet: true }));
      await client.invalidateQueries({ queryKey: callKey(listUsers) });
    } catch (cause) {
      tab.close();
      toast.failed(cause instanceof ApiError ? `${t('preview.failed')} · ${errorText(cause)}` : t('preview.failed'));
    }
  };
}
