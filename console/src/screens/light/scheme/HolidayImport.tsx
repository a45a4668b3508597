import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { importHolidays } from '../../../../../contract/light/calendar.ts';
import type { QueryOf } from '../../../../../contract/route.ts';
import { upload } from '../../../api/index.ts';
import { Affects } from '../../../parts/dry-run/Affects.tsx';
import { Alert, toast, useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';

interface Props {
  country: QueryOf<typeof importHolidays>['country'];
  year: number;
  file: File;
  onImported: () => unknown;
  onClose: () => void;
}

/** Says what a file of holidays would do to lamps before it is imported. */
export function HolidayImport({ country, year, file, onImported, onClose }: Props) {
  const { t } = useTranslation('scheme');
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const query = { country, year, name: file.name.slice(-200) };
  const bring = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const known = await upload(importHolidays, { query }, file);
      toast.done(t('holidays.imported', { year, n: known.days.length }));
      onClose();
      await onImported();
    } catch (cause) {
      setFailure(cause);
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title={t('holidays.title', { year })}
      width={440}
      okText={t('holidays.import', { year })}
      cancelText={t('holidays.cancel')}
      okButtonProps={{ loading: busy, disabled: inPreview() }}
      onOk={() => void bring()}
      onCancel={onClose}
    >
      <p>{t('holidays.replaces', { year, file: file.name })}</p>
      {failure === null ? (
        <Affects
          route={importHolidays}
          input={{ query }}
          file={file}
          things={[]}
          otherwise="noneDarker"
          effectOf={({ darkens }) => ({ darker: darkens })}
        />
      ) : (
        <Alert title={errorText(failure)} />
      )}
    </Modal>
  );
}
