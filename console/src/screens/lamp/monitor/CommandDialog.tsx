import { useState } from 'react';
import { Input, Modal, Select, Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { getLampFilters } from '../../../../../contract/routes/lamps.ts';
import { useCall } from '../../../api/index.ts';
import { formatNumber, useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { commandBody, type Ask, type CommandBody } from '../control/commands.ts';
import { DimSlider } from '../control/DimSlider.tsx';
import { defaultEnd, endInstant, EndPicker, type End } from '../control/EndPicker.tsx';
import { useCommandWords } from '../control/words.ts';
import styles from './monitor.module.css';

/** Lamps chosen one by one, or by road, group or controller. */
export type Target = { kind: 'lamps'; ids: readonly number[] } | { kind: 'scope' };
type ScopeName = 'roadId' | 'groupId' | 'controllerId';
type Action = Ask['command'];

interface CommandDialogProps {
  target: Target;
  /** What was clicked; null lets choose. */
  action: Action | null;
  pending: boolean;
  onSend: (body: CommandBody) => Promise<void>;
  onClose: () => void;
}

/** Says what will happen to how many lamps and until when, before it is sent to more than one. */
export function CommandDialog({ target, action, pending, onSend, onClose }: CommandDialogProps) {
  const { t, i18n } = useTranslation('lamp');
  const words = useCommandWords();
  const textOf = useErrorText();
  const [chosen, setChosen] = useState<Action>(action ?? 'dim');
  const [level, setLevel] = useState(60);
  const [end, setEnd] = useState<End>(defaultEnd);
  const [reason, setReason] = useState('');
  const [scope, setScope] = useState<{ name: ScopeName; id: number | null; lamps: number }>({ name: 'roadId', id: null, lamps: 0 });
  const [failure, setFailure] = useState<string | null>(null);
  const count = target.kind === 'lamps' ? target.ids.length : scope.lamps;
  const ready = target.kind === 'lamps' || scope.id !== null;
  const ask: Ask = chosen === 'dim' ? (level === 0 ? { command: 'off' } : { command: 'dim', level }) : { command: chosen };
  const title = words.title(ask.command, ask.command === 'dim' ? { level } : {});
  const send = async () => {
    setFailure(null);
    try {
      const aim = target.kind === 'lamps' ? { deviceIds: [...target.ids] } : { scope: { [scope.name]: scope.id ?? 0 } };
      await onSend(commandBody(ask, aim, endInstant(end, Date.now()), reason));
      onClose();
    } catch (error) {
      setFailure(textOf(error));
    }
  };
  return (
    <Modal
      open title={target.kind === 'lamps' ? t('dialog.title', { what: title, count: formatNumber(count, i18n.language, 0) }) : t('dialog.scopeTitle')}
      okText={count > 0 ? t('dialog.send', { count: formatNumber(count, i18n.language, 0) }) : t('control.send')} okButtonProps={{ disabled: !ready || inPreview(), loading: pending }} cancelText={t('dialog.cancel')}
      onOk={() => void send()} onCancel={onClose} width={480} destroyOnHidden
    >
      <div className={styles.dialog}>
        {target.kind === 'scope' ? <ScopeFields scope={scope} onChange={setScope} /> : null}
        {action === null ? (
          <Segmented<Action> block value={chosen} onChange={setChosen} aria-label={t('dialog.action')} options={(['on', 'dim', 'off', 'auto'] as const).map((value) => ({ value, label: value === 'dim' ? t('batch.dim') : t(`command.${value}`) }))} />
        ) : null}
        {chosen === 'dim' ? <DimSlider value={level} reported={null} onChange={setLevel} /> : null}
        {chosen === 'auto' ? <p>{t('dialog.autoText')}</p> : <EndPicker end={end} onChange={setEnd} />}
        <Input maxLength={200} value={reason} placeholder={t('control.reason')} aria-label={t('control.reason')} onChange={(event) => setReason(event.target.value)} />
        {failure === null ? null : <p className={styles.failure} role="alert">{failure}</p>}
      </div>
    </Modal>
  );
}

function ScopeFields({ scope, onChange }: { scope: { name: ScopeName; id: number | null; lamps: number }; onChange: (scope: { name: ScopeName; id: number | null; lamps: number }) => void }) {
  const { t, i18n } = useTranslation('lamp');
  const options = useCall(getLampFilters, undefined, { staleTime: 60_000 });
  const rows: Record<ScopeName, readonly { id: number; name: string; lamps: number }[]> = {
    roadId: options.data?.roads ?? [], groupId: options.data?.groups ?? [],
    controllerId: (options.data?.controllers ?? []).map(({ id, code, name, lamps }) => ({ id, name: name ? `${code} ${name}` : code, lamps })),
  };
  return (
    <div className={styles.scope}>
      <Segmented<ScopeName>
        value={scope.name} onChange={(name) => onChange({ name, id: null, lamps: 0 })} aria-label={t('dialog.by')}
        options={[{ value: 'roadId', label: t('filter.road') }, { value: 'groupId', label: t('filter.group') }, { value: 'controllerId', label: t('filter.controller') }]}
      />
      <Select
        showSearch={{ optionFilterProp: 'label' }} loading={options.isPending} value={scope.id} placeholder={t('dialog.choose')} aria-label={t('dialog.choose')}
        options={rows[scope.name].map((row) => ({ value: row.id, label: `${row.name} (${formatNumber(row.lamps, i18n.language, 0)})` }))}
        onChange={(id: number) => onChange({ name: scope.name, id, lamps: rows[scope.name].find((row) => row.id === id)?.lamps ?? 0 })}
      />
    </div>
  );
}
