import { Modal } from 'antd';
import type { ReactNode } from 'react';
import { Refusal } from './Alert.tsx';

interface Props {
  open: boolean;
  title: string;
  ok: string;
  cancel: string;
  error: unknown;
  pending: boolean;
  onOk: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** Asks before something is lost or ended; a refusal is shown in it. */
export function Confirm({ open, title, ok, cancel, error, pending, onOk, onCancel, children }: Props) {
  return (
    <Modal
      open={open}
      title={title}
      okText={ok}
      cancelText={cancel}
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
