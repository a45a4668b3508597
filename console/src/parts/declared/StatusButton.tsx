import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateDevice } from '../../../../contract/register/devices.ts';
import { inPreview } from '../../session/index.ts';
import { Affects } from '../dry-run/Affects.tsx';
import { useErrorText } from '../notices/error-text.ts';
import type { Row, Source } from './source.ts';
import { useSave } from './use-source.ts';
import styles from './declared.module.css';

/** Takes one device out of use or into it again, after saying what that means. */
export function StatusButton({ source, row }: { source: Source; row: Row }) {
  const { t } = useTranslation('declared');
  const errorText = useErrorText();
  const { save, isPending } = useSave(source);
  const [asked, setAsked] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const next = row['status'] === 'disabled' ? 'enabled' : 'disabled';
  const change: Readonly<Record<string, unknown>> = { status: next, version: row.version };
  const close = (): void => {
    setAsked(false);
    setFailure(null);
  };
  const turn = async (): Promise<void> => {
    try {
      await save(row.id, change);
      close();
    } catch (cause) {
      setFailure(cause);
    }
  };
  return (
    <>
      <Button onClick={() => setAsked(true)}>{t(`several.${next}`)}</Button>
      <Modal
        open={asked}
        onCancel={close}
        onOk={() => void turn()}
        title={t(`several.${next}.title`, { n: 1 })}
        destroyOnHidden
        okText={t(`several.${next}`)}
        cancelText={t('form.cancel')}
        okButtonProps={{ loading: isPending, disabled: inPreview() }}
      >
        <p>{t(`several.${next}.about`)}</p>
        {failure === null ? (
          <Affects
            route={updateDevice}
            input={asked ? { params: { id: row.id }, body: change } : null}
            things={['devices']}
            shown={1}
          />
        ) : (
          <p className={styles.note} role="alert">
            {errorText(failure)}
          </p>
        )}
      </Modal>
    </>
  );
}
