import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PictureField } from '../../../catalogue/fields/picture.ts';
import type { CellProps, Face, InputProps } from './face.ts';
import { shrink } from './shrink-picture.ts';
import styles from './fields.module.css';

function PictureInput({ field, id, value, onChange, describedBy }: InputProps<PictureField>) {
  const { t } = useTranslation('declared');
  const file = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState(false);
  const take = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    const picture = await shrink(chosen, field.maxCharacters);
    setUnreadable(picture === null);
    if (picture !== null) onChange(picture);
  };
  return (
    <div className={styles.picture}>
      {typeof value === 'string' ? <img src={value} alt={t('picture.alt')} /> : null}
      <input
        ref={file}
        id={id}
        type="file"
        accept="image/png,image/jpeg"
        className="visually-hidden"
        {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <span className={styles.row}>
        <Button size="small" onClick={() => file.current?.click()}>
          {t('picture.choose')}
        </Button>
        {value === null ? null : (
          <Button size="small" type="text" onClick={() => onChange(null)}>
            {t('picture.remove')}
          </Button>
        )}
      </span>
      {unreadable ? (
        <span role="alert" className={styles.problem}>
          {t('picture.unreadable')}
        </span>
      ) : null}
    </div>
  );
}

function PictureCell({ value }: CellProps<PictureField>) {
  const { t } = useTranslation('declared');
  return typeof value === 'string' ? <img className={styles.shown} src={value} alt={t('picture.alt')} /> : <>—</>;
}

export const pictureFace: Face<PictureField> = { Input: PictureInput, Cell: PictureCell, Filter: null };
