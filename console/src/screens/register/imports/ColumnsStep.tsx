import { Button, Select, Switch } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../../../catalogue/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Alert, Card, formatBytes, formatList, formatNumber, Refusal } from '../../../parts/index.ts';
import { ApiError } from '../../../api/index.ts';
import { inPreview } from '../../../session/index.ts';
import { ColumnTable } from './ColumnTable.tsx';
import { Constants } from './Constants.tsx';
import { encodingName } from './encodings.ts';
import { Foot } from './Foot.tsx';
import { lacksSystem, missing, missingForNew, undecided, unsaid, type Import, type Plan } from './plan.ts';
import { Position } from './Position.tsx';
import { TextCard } from './TextCard.tsx';
import { useDraft } from './use-draft.ts';
import type { Steps } from './use-import.ts';
import styles from './imports.module.css';

/** More names than these are a wall; the table below marks every one. */
const mostNamed = 12;

interface Props {
  one: Import;
  family: Family;
  steps: Steps;
  onChecked: () => void;
}

/** The second step: what each column of the file fills, what is the same in every row, where positions lie. */
export function ColumnsStep({ one, family, steps, onChecked }: Props) {
  const { t } = useTranslation('imports');
  const { plan, change, drop } = useDraft(one);
  const open = undecided(one.columns, plan);
  const lacking = missing(plan);
  const silent = unsaid(plan);
  const ready = open.length === 0 && lacking.length === 0 && silent.length === 0 && !lacksSystem(plan);
  const check = (): void =>
    steps.check(plan, () => {
      drop();
      onChecked();
    });
  return (
    <>
      <Said
        one={one}
        family={family}
        plan={plan}
        open={open}
        onIgnore={() => change({ ...plan, ignored: [...plan.ignored, ...open].toSorted((a, b) => a - b) })}
        error={steps.refusal}
      />
      <TextCard one={one} steps={steps} onOther={drop} />
      <Card title={t('columns.title')} extra={<FileNote one={one} steps={steps} onOther={drop} />} flush>
        <ColumnTable columns={one.columns} family={family} plan={plan} onChange={change} />
      </Card>
      <Card title={t('constants.title')}>
        <Constants family={family} plan={plan} onChange={change} />
      </Card>
      {plan.fields['longitude']?.column !== undefined || plan.fields['latitude']?.column !== undefined ? (
        <Card title={t('position.title')}>
          <Position one={one} plan={plan} onChange={change} />
        </Card>
      ) : null}
      <Card title={t('options.title')}>
        <Options plan={plan} onChange={change} hasRoads={family.field.has('roadId')} />
      </Card>
      <Foot
        next={t('columns.check')}
        disabled={!ready || inPreview()}
        pending={steps.pending}
        onNext={check}
        note={ready ? null : t('columns.notReady')}
      />
    </>
  );
}

/** How the file was read; of a workbook, which of its sheets. */
function FileNote({ one, steps, onOther }: { one: Import; steps: Steps; onOther: () => void }) {
  const { t, i18n } = useTranslation('imports');
  const { sheet, sheets, encoding } = one.format;
  return (
    <span className={styles.fileNote}>
      <span>
        {[
          formatBytes(one.bytes, i18n.language),
          encoding === null ? null : encodingName(encoding, t),
          t('columns.count', { n: one.columns.length }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {sheets.length > 1 ? (
        <Select
          aria-label={t('columns.sheet')}
          value={sheet}
          disabled={steps.pending}
          popupMatchSelectWidth={false}
          options={sheets.map((name) => ({ value: name, label: name }))}
          onChange={(name: string) => steps.sheet(name, onOther)}
        />
      ) : null}
    </span>
  );
}

interface SaidProps {
  one: Import;
  family: Family;
  plan: Plan;
  open: readonly number[];
  onIgnore: () => void;
  error: unknown;
}

/** What is still to be said before the check, and what the server did not take. */
function Said({ one, family, plan, open, onIgnore, error }: SaidProps) {
  const { t, i18n } = useTranslation('imports');
  const names = useNames();
  const listed = (items: readonly string[]): string => formatList(items, i18n.language);
  const named = listed(open.slice(0, mostNamed).map((column) => one.columns[column]?.title ?? ''));
  const fields = (keys: readonly string[]): string => listed(keys.map((key) => names.field(key, family.key)));
  const forNew = missingForNew(family, plan);
  const [lacking, silent] = [missing(plan), unsaid(plan)];
  const params = error instanceof ApiError ? (error.problem?.params ?? []) : [];
  return (
    <div className={styles.stack} aria-live="polite">
      {error ? (
        <Refusal error={error}>
          {params.length > 0 ? (
            <ul>
              {params.map(({ field, message }) => (
                <li key={field}>
                  {placeOf(field, one, (key) => names.field(key, family.key))}
                  {t('colon')}
                  {message}
                </li>
              ))}
            </ul>
          ) : null}
        </Refusal>
      ) : null}
      {one.remembered ? (
        <Alert kind="done" title={t('remembered')}>
          {t('remembered.text')}
        </Alert>
      ) : null}
      {lacking.length > 0 ? (
        <Alert kind="note" title={t('columns.missing', { fields: fields(lacking) })}>
          {t('columns.missingText')}
        </Alert>
      ) : null}
      {lacksSystem(plan) ? (
        <Alert kind="note" title={t('position.choose')}>
          {t('position.chooseText')}
        </Alert>
      ) : null}
      {silent.length > 0 ? <Alert kind="note" title={t('constants.empty', { fields: fields(silent) })} /> : null}
      {forNew.length > 0 ? (
        <Alert kind="note" title={t('columns.missingForNew', { fields: fields(forNew) })}>
          {t('columns.missingForNewText')}
        </Alert>
      ) : null}
      {open.length > 0 ? (
        <Alert
          kind="note"
          title={t('columns.undecided', {
            columns:
              open.length > mostNamed
                ? t('columns.andMore', { columns: named, n: formatNumber(open.length, i18n.language, 0) })
                : named,
          })}
          action={
            <Button size="small" onClick={onIgnore}>
              {t('columns.ignoreAll')}
            </Button>
          }
        >
          {t('columns.undecidedText')}
        </Alert>
      ) : null}
    </div>
  );
}

/** The server names places of a plan: `columns.3`, `fields.workId`, `words.material.铁`. */
function placeOf(at: string, one: Import, fieldName: (key: string) => string): ReactNode {
  const [kind, key = '', word] = at.split('.');
  if (kind === 'columns') return one.columns[Number(key)]?.title ?? at;
  if (kind === 'fields') return fieldName(key);
  return kind === 'words' ? `${fieldName(key)} “${word ?? ''}”` : at;
}

function Options({ plan, onChange, hasRoads }: { plan: Plan; onChange: (plan: Plan) => void; hasRoads: boolean }) {
  const { t } = useTranslation('imports');
  return (
    <div className={styles.options}>
      <div className={styles.field}>
        <label htmlFor="import-existing">{t('options.existing')}</label>
        <Select
          id="import-existing"
          value={plan.existing}
          popupMatchSelectWidth={false}
          onChange={(existing: Plan['existing']) => onChange({ ...plan, existing })}
          options={[
            { value: 'update', label: t('options.update') },
            { value: 'refuse', label: t('options.refuse') },
          ]}
        />
        <p className={styles.hint}>{t(plan.existing === 'update' ? 'options.updateText' : 'options.refuseText')}</p>
      </div>
      {hasRoads ? (
        <div className={styles.field}>
          <label htmlFor="import-roads">{t('options.roads')}</label>
          <span>
            <Switch
              id="import-roads"
              checked={plan.createRoads}
              onChange={(createRoads) => onChange({ ...plan, createRoads })}
            />
          </span>
          <p className={styles.hint}>{t(plan.createRoads ? 'options.roadsMade' : 'options.roadsNot')}</p>
        </div>
      ) : null}
    </div>
  );
}
