import { useState } from 'react';
import { Button, Checkbox, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { listDevices } from '../../../../../contract/routes/devices.ts';
import { useCall } from '../../../api/index.ts';
import { useNames } from '../../../parts/catalogue-names.ts';
import { formatNumber, useErrorText } from '../../../parts/index.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import type { Device } from '../../device/device-state.tsx';
import styles from './map.module.css';
import { farMetres, metresFromOthers, metresMoved, readPosition, type Pending, type Position } from './pending.ts';

const NAMED = 8;
interface Props {
  field: DeviceField; pending: Pending; saving: boolean;
  /** What the server said to the last try. */
  error: unknown;
  onMove: (to: Position) => void; onSave: () => void; onCancel: () => void;
}

/** The question before a position is written: what moves, how far, what goes with it, what stays. */
export function MovePanel({ field, pending, saving, error, onMove, onSave, onCancel }: Props) {
  const { t, i18n } = useTranslation('device-map');
  const names = useNames();
  const errorText = useErrorText();
  const [sure, setSure] = useState(false);
  const metres = metresMoved(pending);
  const far = metresFromOthers(field, pending.to);
  const isFar = far !== null && far > farMetres;
  const number = (value: number, digits = 0): string => formatNumber(value, i18n.language, digits);
  const unmoved = metres !== null && metres < 0.05;
  return (
    <section className={styles.move} aria-label={t('edit.confirm')}>
      <h2>{metres === null ? t('edit.askPlace', { code: pending.code }) : t('edit.ask', { code: pending.code, distance: t('edit.metres', { n: number(metres, metres < 100 ? 1 : 0) }) })}</h2>
      <p className={styles.note}>{names.family(pending.family)} · {t('edit.how')}</p>
      <Typed key={pending.id} to={pending.to} onMove={onMove} />
      {pending.family === 'lamp-pole' ? <WithIt field={field} pending={pending} /> : pending.own === null && pending.from !== null ? <p className={styles.note}>{t('edit.leavesPole')}</p> : null}
      {isFar ? (
        <div className={styles.far} role="alert">
          <p>{t('edit.far', { km: number(far / 1000) })}</p>
          <Checkbox checked={sure} onChange={(event) => setSure(event.target.checked)}>{t('edit.farSure')}</Checkbox>
        </div>
      ) : null}
      {error ? <p className={styles.failure} role="alert">{errorText(error)}</p> : null}
      <footer>
        <Button onClick={onCancel} disabled={saving}>{t('edit.cancel')}</Button>
        <Button type="primary" onClick={onSave} loading={saving} disabled={unmoved || (isFar && !sure)}>{t(metres === null ? 'edit.savePlace' : 'edit.save')}</Button>
      </footer>
    </section>
  );
}

/** The position as numbers: the way without dragging. */
function Typed({ to, onMove }: { to: Position; onMove: (to: Position) => void }) {
  const { t } = useTranslation('device-map');
  const [typing, setTyping] = useState<{ longitude: string; latitude: string } | null>(null);
  const shown = typing ?? { longitude: to.longitude.toFixed(6), latitude: to.latitude.toFixed(6) };
  const type = (change: Partial<typeof shown>): void => {
    const next = { ...shown, ...change };
    setTyping(next);
    const position = readPosition(next.longitude, next.latitude);
    if (position) onMove(position);
  };
  const wrong = typing !== null && readPosition(shown.longitude, shown.latitude) === null;
  return (
    <div className={styles.typed} onBlur={() => setTyping(null)}>
      {(['longitude', 'latitude'] as const).map((key) => (
        <label key={key}><span>{t(`edit.${key}`)}</span><Input value={shown[key]} inputMode="decimal" status={wrong ? 'error' : ''} aria-invalid={wrong} onChange={(event) => type({ [key]: event.target.value })} /></label>
      ))}
    </div>
  );
}

/** What moves with a pole, and what has a position of its own and stays. */
function WithIt({ field, pending }: { field: DeviceField; pending: Pending }) {
  const { t } = useTranslation('device-map');
  const { data } = useCall(listDevices, { query: { poleId: pending.id, size: 200 } }, { quiet: true, staleTime: 0 });
  const devices = (data?.data ?? []) as readonly Device[];
  const stays = devices.filter((device) => { const index = field.indexOf(device.id); return index !== undefined && field.atPole[index] !== 1; });
  const goes = devices.length - stays.length;
  const named = stays.slice(0, NAMED).map((device) => String(device['equipmentCode'])).join('、');
  return (
    <>
      {goes > 0 ? <p className={styles.note}>{t('edit.goes', { n: goes })}</p> : null}
      {stays.length > 0 ? <p className={styles.stays}>{t(stays.length > NAMED ? 'edit.staysMore' : 'edit.stays', { codes: named, n: stays.length })}</p> : null}
    </>
  );
}
