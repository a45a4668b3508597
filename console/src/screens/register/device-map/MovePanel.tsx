import { useId, useMemo, useState } from 'react';
import { Button, Checkbox, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { carriesOthers } from '../../../../../catalogue/capabilities.ts';
import { listDevices } from '../../../../../contract/register/devices.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { formatList, formatNumber, useErrorText } from '../../../parts/index.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import type { Device } from '../../../parts/devices/device-state.tsx';
import { metresBetween } from '../../../parts/map/distance.ts';
import styles from './map.module.css';
import { farMetres, metresMoved, middleOf, type Pending, type Position } from './pending.ts';
import { useTyped, type TypedPosition } from './use-typed.ts';

const NAMED = 8;
interface Props {
  field: DeviceField;
  pending: Pending;
  saving: boolean;
  /** What the server said to the last try. */
  error: unknown;
  onMove: (to: Position) => void;
  onSave: () => void;
  onCancel: () => void;
}

/** The question before a position is written: what moves, how far, what goes with it, what stays. */
export function MovePanel({ field, pending, saving, error, onMove, onSave, onCancel }: Props) {
  const { t, i18n } = useTranslation('device-map');
  const names = useNames();
  const errorText = useErrorText();
  const [sure, setSure] = useState(false);
  const typed = useTyped(pending.to, onMove);
  const metres = metresMoved(pending);
  const middle = useMemo(() => middleOf(field), [field]);
  const far = middle && metresBetween(middle, pending.to);
  const isFar = far !== null && far > farMetres;
  const number = (value: number, digits = 0): string => formatNumber(value, i18n.language, digits);
  const unmoved = metres !== null && metres < 0.05;
  return (
    <section className={styles.move} aria-label={t('edit.confirm')}>
      <h2>
        {metres === null
          ? t('edit.askPlace', { code: pending.code })
          : t('edit.ask', {
              code: pending.code,
              distance: t('edit.metres', { n: number(metres, metres < 100 ? 1 : 0) }),
            })}
      </h2>
      <p className={styles.note}>
        {names.family(pending.family)} · {t('edit.how')}
      </p>
      <Typed typed={typed} />
      {carriesOthers(pending.family) ? (
        <WithIt field={field} pending={pending} />
      ) : pending.own === null && pending.from !== null ? (
        <p className={styles.note}>{t('edit.leavesPole')}</p>
      ) : null}
      {isFar ? (
        <div className={styles.far} role="alert">
          <p>{t('edit.far', { km: number(far / 1000) })}</p>
          <Checkbox checked={sure} onChange={(event) => setSure(event.target.checked)}>
            {t('edit.farSure')}
          </Checkbox>
        </div>
      ) : null}
      {error ? (
        <p className={styles.failure} role="alert">
          {errorText(error)}
        </p>
      ) : null}
      <footer>
        <Button onClick={onCancel} disabled={saving}>
          {t('edit.cancel')}
        </Button>
        <Button
          type="primary"
          onClick={onSave}
          loading={saving}
          disabled={!typed.isReadable || unmoved || (isFar && !sure)}
        >
          {t(metres === null ? 'edit.savePlace' : 'edit.save')}
        </Button>
      </footer>
    </section>
  );
}

/** The position as numbers: the way without dragging. */
function Typed({ typed: { shown, read, isReadable, type } }: { typed: TypedPosition }) {
  const { t } = useTranslation('device-map');
  const why = useId();
  return (
    <>
      <div className={styles.typed}>
        {(['longitude', 'latitude'] as const).map((key) => (
          <label key={key}>
            <span>{t(`edit.${key}`)}</span>
            <Input
              value={shown[key]}
              inputMode="decimal"
              status={read[key] === null ? 'error' : ''}
              aria-invalid={read[key] === null}
              aria-describedby={read[key] === null ? why : undefined}
              onChange={(event) => type({ [key]: event.target.value })}
            />
          </label>
        ))}
      </div>
      {isReadable ? null : (
        <p id={why} className={styles.failure} role="status">
          {t('edit.unreadable')}
        </p>
      )}
    </>
  );
}

/** What moves with a pole, and what has a position of its own and stays. */
function WithIt({ field, pending }: { field: DeviceField; pending: Pending }) {
  const { t, i18n } = useTranslation('device-map');
  const { data } = useCall(listDevices, { query: { poleId: pending.id, size: 200 } }, { staleTime: 0 });
  const devices = (data?.data ?? []) as readonly Device[];
  const stays = devices.filter((device) => {
    const index = field.indexOf(device.id);
    return index !== undefined && field.atPole[index] !== 1;
  });
  const goes = devices.length - stays.length;
  const named = formatList(
    stays.slice(0, NAMED).map((device) => String(device['equipmentCode'])),
    i18n.language,
  );
  return (
    <>
      {goes > 0 ? <p className={styles.note}>{t('edit.goes', { n: goes })}</p> : null}
      {stays.length > 0 ? (
        <p className={styles.stays}>
          {t(stays.length > NAMED ? 'edit.staysMore' : 'edit.stays', { codes: named, n: stays.length })}
        </p>
      ) : null}
    </>
  );
}
