import { useQueryClient } from '@tanstack/react-query';
import { Button, Input, Modal } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  cancelException,
  decideException,
  exceptionBounds,
  listExceptions,
} from '../../../../contract/light/exceptions.ts';
import { callKey, useSend } from '../../api/index.ts';
import { usePermission } from '../../frame/index.ts';
import { Affects } from '../dry-run/Affects.tsx';
import { dialogStyles } from '../form/index.ts';
import { Icon, Refusal, toast } from '../index.ts';
import { inPreview } from '../../session/index.ts';
import { WeighedList, useWeighed, weighedOfRefusal } from './Weighed.tsx';
import { lampsOf, useExceptionWords, type Exception } from './words.ts';
import styles from './exceptions.module.css';

type Act = 'cancel' | 'agree' | 'refuse';

/** What is in force ends; what has not begun is cancelled. */
const named = (act: Act, { state }: Exception) => (act === 'cancel' && state === 'inForce' ? 'end' : act);
const open: readonly Exception['state'][] = ['awaitingApproval', 'planned', 'inForce'];

/** What can be done about an exception: end it, agree to it, refuse it. */
export function ExceptionActions({ row, large = false }: { row: Exception; large?: boolean }) {
  const { t } = useTranslation('exceptions');
  const mayCancel = usePermission('plan.exception') && !inPreview();
  const [act, setAct] = useState<Act | null>(null);
  const mayDecide = row.approval?.hindrance === null && !inPreview();
  const endWaits = row.ending !== undefined && row.approval?.outcome === 'pending';
  const acts: readonly Act[] = [
    ...(mayDecide ? (['agree', 'refuse'] as const) : []),
    // Who sees a part of its lamps decides nothing about the others; an end that waits is decided, not asked for twice.
    ...(mayCancel && row.whole && open.includes(row.state) && !endWaits ? (['cancel'] as const) : []),
  ];
  return (
    <span className={styles.acts}>
      {acts.map((one) => (
        <Button
          key={one}
          size={large ? 'middle' : 'small'}
          {...(one === 'agree' ? { type: 'primary' as const } : {})}
          danger={one === 'refuse'}
          icon={one === 'cancel' ? null : <Icon name={one === 'agree' ? 'check' : 'close'} size={14} />}
          onClick={() => setAct(one)}
        >
          {t(`act.${named(one, row)}`)}
        </Button>
      ))}
      {act === null ? null : <ActDialog row={row} act={act} onClose={() => setAct(null)} />}
    </span>
  );
}

function ActDialog({ row, act, onClose }: { row: Exception; act: Act; onClose: () => void }) {
  const { t } = useTranslation('exceptions');
  const id = useId();
  const client = useQueryClient();
  const { number } = useExceptionWords();
  const weighed = useWeighed(row);
  const [reason, setReason] = useState('');
  const cancel = useSend(cancelException, [listExceptions], { quiet: true });
  const decide = useSend(decideException, [listExceptions], { quiet: true });
  const error = cancel.error ?? decide.error;
  const needsReason = act !== 'agree';
  const below = act === 'agree' ? lampsOf(weighed.shown.below) : 0;
  const refused = (cause: unknown): null => {
    const found = weighedOfRefusal(cause);
    if (found !== null) {
      weighed.find(found);
      void client.invalidateQueries({ queryKey: callKey(listExceptions) });
    }
    return null;
  };
  const send = async (): Promise<void> => {
    const params = { id: row.id };
    const done = await (
      act === 'cancel'
        ? cancel.mutateAsync({ params, body: { reason } })
        : decide.mutateAsync({
            params,
            body: { approved: act === 'agree', digest: weighed.shown.digest, reason: reason === '' ? null : reason },
          })
    ).catch(refused);
    if (!done) return;
    toast.done(t('waits' in done && done.waits ? 'done.endWaits' : `done.${named(act, row)}`));
    onClose();
  };
  return (
    <Modal
      open
      title={t(`act.${named(act, row)}`)}
      okText={below > 0 ? t('act.agreeBelow', { n: number(below) }) : t(`act.${named(act, row)}`)}
      cancelText={t('back')}
      okButtonProps={{
        disabled: needsReason ? reason.trim() === '' : !weighed.ticked,
        loading: cancel.isPending || decide.isPending,
      }}
      onOk={() => void send()}
      onCancel={onClose}
      destroyOnHidden
    >
      <div className={dialogStyles.dialog}>
        <p>
          {t(row.ending && act !== 'cancel' ? `about.${act}End` : `about.${named(act, row)}`, {
            reason: row.reason,
            n: number(row.total),
          })}
        </p>
        {act === 'cancel' && !error ? (
          <Affects
            route={cancelException}
            // What follows does not depend on the reason, which is written meanwhile.
            input={{ params: { id: row.id }, body: { reason: '—' } }}
            things={[]}
            effectOf={({ lamps, darker, waits = false }) => ({ lamps, darker, second: waits })}
          />
        ) : null}
        {act === 'agree' ? <WeighedList of={weighed} /> : null}
        <label htmlFor={id}>{t('field.why')}</label>
        <Input
          id={id}
          value={reason}
          maxLength={exceptionBounds.reason.max}
          onChange={(event) => setReason(event.target.value)}
        />
        {error && weighedOfRefusal(error) === null ? <Refusal error={error} /> : null}
      </div>
    </Modal>
  );
}
