import { Modal } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Refusal } from '../../../parts/index.ts';

interface Props {
  open: boolean;
  title: string;
  ok: string;
  error: unknown;
  pending: boolean;
  onOk: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** Asks before something is lost; a refusal is shown in it. */
export function Confirm({ open, title, ok, error, pending, onOk, onCancel, children }: Props) {
  const { t } = useTranslation('imports');
  return (
    <Modal
      open={open}
      title={title}
      okText={ok}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true }}
      confirmLoading={pending}
      onOk={onOk}
      onCancel={onCancel}
      destroyOnHidden
    >
      {children}
      {error ? <Refusal error={error} /> : null}
    </Modal>
  );
}
