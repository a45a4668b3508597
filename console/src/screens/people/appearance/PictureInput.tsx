import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, Icon } from '../../../parts/index.ts';
import type { PictureProblem } from '../../../parts/avatar/picture.ts';
import { own } from './appearance.ts';
import { bytesOf, smallPicture } from './small-picture.ts';
import styles from './appearance.module.css';

interface Props {
  id: string;
  field: 'logo' | 'icon';
  value: string | null;
  longestSide: number;
  disabled: boolean;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (address: string | null) => void;
}

/**
 * A picture from a file, shown on both grounds it may stand on, with its size; made smaller here when it is larger than
 * needed.
 */
export function PictureInput({ id, field, value, longestSide, disabled, invalid, describedBy, onChange }: Props) {
  const { t, i18n } = useTranslation('appearance');
  const file = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<PictureProblem>();
  const [size, setSize] = useState<{ of: string; width: number; height: number }>();
  const take = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    const picture = await smallPicture(chosen, longestSide);
    setProblem('problem' in picture ? picture.problem : undefined);
    if (!('problem' in picture)) onChange(picture.address);
  };
  const told =
    value !== null && size?.of === value
      ? t('picture.size', {
          width: size.width,
          height: size.height,
          size: formatNumber(Math.max(0.1, bytesOf(value) / 1024), i18n.language, 1),
        })
      : '';
  return (
    <div className={styles.picture}>
      <span className={styles.shown} data-field={field} data-invalid={invalid || undefined}>
        {value === null ? (
          <img src={own[field]} alt={t('picture.own')} />
        ) : (
          <img
            src={value}
            alt={t(`${field}.alt`)}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setSize({ of: value, width, height })
            }
          />
        )}
      </span>
      <input
        ref={file}
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/gif"
        className="visually-hidden"
        tabIndex={-1}
        disabled={disabled}
        {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <span className={styles.pictureSide}>
        <span className={styles.buttons}>
          <Button size="small" disabled={disabled} onClick={() => file.current?.click()}>
            {t(`${field}.choose`)}
          </Button>
          {value === null ? null : (
            <Button
              size="small"
              type="text"
              disabled={disabled}
              onClick={() => {
                setProblem(undefined);
                onChange(null);
              }}
            >
              {t(`${field}.remove`)}
            </Button>
          )}
        </span>
        {value === null ? <small>{t('picture.own')}</small> : told ? <small>{told}</small> : null}
        <small>{t('picture.hint', { side: longestSide })}</small>
        {problem ? (
          <span className={styles.error} role="alert">
            <Icon name="warning" size={12} />
            {t(`picture.${problem}`)}
          </span>
        ) : null}
      </span>
    </div>
  );
}
