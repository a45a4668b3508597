import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import { AvatarDialog } from './AvatarDialog.tsx';
import type { PictureKind } from './picture.ts';
import styles from './avatar.module.css';

interface Props {
  id: string;
  /** A data address, or null: the first letter of `name` stands in. */
  value: string | null;
  name: string;
  accept?: readonly PictureKind[];
  disabled?: boolean;
  describedBy?: string | undefined;
  onChange: (value: string | null) => void;
}

/** An avatar with the ways to set another and to have none. */
export function AvatarField({ id, value, name, accept, disabled = false, describedBy, onChange }: Props) {
  const { t } = useTranslation('avatar');
  const [open, setOpen] = useState(false);
  const set = (address: string): void => {
    setOpen(false);
    onChange(address);
  };
  return (
    <div className={styles.field}>
      {value === null ? (
        <span className={styles.letter} aria-hidden>
          {[...name.trim()][0]?.toUpperCase() ?? <Icon name="user" size={40} />}
        </span>
      ) : (
        <img className={styles.shown} src={value} alt={t('shown')} />
      )}
      <div className={styles.fieldButtons}>
        <Button
          id={id}
          disabled={disabled}
          {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
          onClick={() => setOpen(true)}
        >
          {t(value === null ? 'set' : 'change')}
        </Button>
        {value === null ? null : (
          <Button type="text" disabled={disabled} onClick={() => onChange(null)}>
            {t('remove')}
          </Button>
        )}
      </div>
      <AvatarDialog open={open} {...(accept ? { accept } : {})} onConfirm={set} onCancel={() => setOpen(false)} />
    </div>
  );
}
