import { Button, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import type { Family } from '../../../../../catalogue/index.ts';
import { exportFailedRows } from '../../../../../contract/desk/exports.ts';
import { pageOfFamily } from '../../../../../contract/family-pages.ts';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { useMenu } from '../../../frame/menu/menu-context.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Alert, Card, formatNumber, Icon, RelativeTime } from '../../../parts/index.ts';
import { ExportButton } from '../../../parts/tasks/ExportButton.tsx';
import { inPreview } from '../../../session/index.ts';
import { Foot } from './Foot.tsx';
import { writes, type Import, type StepName } from './plan.ts';
import { Rows } from './Rows.tsx';
import { UndoDialog } from './UndoDialog.tsx';
import type { ImportAddress, Steps } from './use-import.ts';
import styles from './imports.module.css';

interface Props {
  one: Import;
  family: Family;
  steps: Steps;
  go: (step: StepName) => void;
  address: ImportAddress;
}

/** The last step: which rows are written; afterwards what was, and how it is taken back. */
export function WriteStep(props: Props) {
  const { one } = props;
  return one.state === 'applied' || one.state === 'undone' ? <Written {...props} /> : <Choice {...props} />;
}

function Choice({ one, steps, go }: Props) {
  const { t, i18n } = useTranslation('imports');
  const [rows, setRows] = useState<'valid' | 'all'>('valid');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const counts = one.counts ?? { new: 0, update: 0, unchanged: 0, error: 0 };
  const blocked = rows === 'all' && counts.error > 0;
  const tried = one.task?.kind === 'import.apply' && one.task.state !== 'done' ? one.task : null;
  return (
    <>
      {tried ? (
        <Alert title={t(tried.state === 'cancelled' ? 'write.stopped' : 'write.failed')}>
          {tried.error ?? t('write.nothingWritten')}
        </Alert>
      ) : null}
      <Card title={t('write.title')}>
        <Radio.Group
          className={styles.choice ?? ''}
          value={rows}
          onChange={(event) => setRows(event.target.value as 'valid' | 'all')}
          aria-label={t('write.title')}
        >
          <Radio value="valid">
            <b>{t('write.valid')}</b>
            <small>{t('write.validText')}</small>
          </Radio>
          <Radio value="all">
            <b>{t('write.all')}</b>
            <small>{t('write.allText')}</small>
          </Radio>
        </Radio.Group>
        <ul className={styles.will}>
          <li>{t('write.new', { n: number(counts.new) })}</li>
          <li>{t('write.update', { n: number(counts.update) })}</li>
          <li>{t('write.unchanged', { n: number(counts.unchanged) })}</li>
          {one.newRoads.length > 0 ? <li>{t('write.roads', { n: number(one.newRoads.length) })}</li> : null}
          <li data-error={counts.error > 0 || undefined}>{t('write.error', { n: number(counts.error) })}</li>
        </ul>
        {blocked ? <Alert kind="note" title={t('write.blocked', { n: number(counts.error) })} /> : null}
      </Card>
      <Foot
        next={t('write.begin')}
        onNext={() => steps.apply(rows)}
        pending={steps.pending}
        disabled={blocked || writes(one) === 0 || inPreview()}
        note={t('write.undoable')}
        back={{ text: t('write.back'), onClick: () => go('check') }}
      />
    </>
  );
}

function Written({ one, family, address }: Props) {
  const { t, i18n } = useTranslation('imports');
  const names = useNames();
  const open = useOpen();
  const { pages } = useMenu();
  const [asking, setAsking] = useState(false);
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const counts = one.counts ?? { new: 0, update: 0, unchanged: 0, error: 0 };
  const listed = pageOfFamily(family.key);
  const page = pages.some(({ screen }) => screen === listed) ? listed : undefined;
  const onMap =
    usePermission('lamp.monitor') && isLamp(family.key) && pages.some(({ screen }) => screen === 'lamp/monitor');
  const undone = one.state === 'undone';
  const tried = one.task?.kind === 'import.undo' && one.task.state !== 'done' ? one.task : null;
  return (
    <>
      {tried ? (
        <Alert title={t(tried.state === 'cancelled' ? 'undo.stopped' : 'undo.failed')}>
          {tried.error ?? t('undo.nothingUndone')}
        </Alert>
      ) : null}
      <Card>
        <div className={styles.result}>
          <h2>{undone ? t('undo.done') : t('write.done')}</h2>
          <p className={styles.hint}>
            {undone && one.undoneAt ? (
              <RelativeTime at={one.undoneAt} />
            ) : one.appliedAt ? (
              <RelativeTime at={one.appliedAt} />
            ) : null}
            {one.accountName ? ` · ${one.accountName}` : ''}
          </p>
          <dl className={styles.numbers}>
            {undone ? (
              <>
                <Figure name={t('undo.restored')} n={writes(one) - (one.notUndone ?? 0)} />
                <Figure name={t('outcome.kept')} n={one.notUndone ?? 0} />
              </>
            ) : (
              (['new', 'update', 'error'] as const).map((key) => (
                <Figure key={key} outcome={key} name={t(`written.${key}`)} n={counts[key]} />
              ))
            )}
          </dl>
          {!undone && one.rowsRemovedAt !== undefined ? <p className={styles.hint}>{t('undo.tooOld')}</p> : null}
          {undone ? <p>{one.notUndone ? t('undo.kept', { n: number(one.notUndone) }) : t('undo.all')}</p> : null}
          <div className={styles.links}>
            {page ? (
              <Button type="primary" icon={<Icon name="list" size={14} />} onClick={() => open(page)}>
                {t('write.toList', { family: names.family(family.key) })}
              </Button>
            ) : null}
            {onMap ? (
              <Button icon={<Icon name="map" size={14} />} onClick={() => open('lamp/monitor')}>
                {t('write.toMap')}
              </Button>
            ) : null}
            {counts.error > 0 && one.rowsRemovedAt === undefined ? (
              <ExportButton call={exportFailedRows} body={{ importId: one.id }} text={t('failed')} />
            ) : null}
            {inPreview() ? null : (
              <Button icon={<Icon name="plus" size={14} />} onClick={() => address.start(family.key)}>
                {t('write.another')}
              </Button>
            )}
            {undone || inPreview() || one.rowsRemovedAt !== undefined ? null : (
              <Button danger icon={<Icon name="back" size={14} />} onClick={() => setAsking(true)}>
                {t('undo')}
              </Button>
            )}
          </div>
        </div>
      </Card>
      {undone && one.notUndone && one.rowsRemovedAt === undefined ? (
        <Rows one={one} family={family} filter={{ notUndone: true }} title={t('undo.keptRows')} />
      ) : null}
      {!undone && counts.error > 0 && one.rowsRemovedAt === undefined ? (
        <Rows one={one} family={family} filter={{ outcome: 'error' }} title={t('write.notWritten')} />
      ) : null}
      <UndoDialog one={one} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

function Figure({ name, n, outcome }: { name: string; n: number; outcome?: string }) {
  const { i18n } = useTranslation('imports');
  return (
    <div data-outcome={n > 0 ? outcome : undefined}>
      <dt>{name}</dt>
      <dd>{formatNumber(n, i18n.language, 0)}</dd>
    </div>
  );
}
