import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { printLabels } from '../../../../contract/register/labels.ts';
import { download } from '../../api/index.ts';
import { toast, useErrorText } from '../index.ts';
import { inPreview } from '../../session/index.ts';

/** The label of one thing, when the old one fell off or faded. */
export function LabelButton({ id }: { id: number }) {
  const { t } = useTranslation('devices');
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const print = async (): Promise<void> => {
    setBusy(true);
    try {
      await download(printLabels, { body: { ids: [id] } }, 'label.pdf', { quiet: true });
    } catch (cause) {
      toast.failed(errorText(cause));
    } finally {
      setBusy(false);
    }
  };
  return inPreview() ? null : (
    <Button loading={busy} onClick={() => void print()}>
      {t('actions.label')}
    </Button>
  );
}
