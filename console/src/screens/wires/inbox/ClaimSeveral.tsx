import { Input, Select } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { families, familyOf } from '../../../../../catalogue/families/index.ts';
import { blockNewcomer, claimNewcomer, forgetNewcomer } from '../../../../../contract/wires/provisioning.ts';
import { call } from '../../../api/index.ts';
import { FieldInput } from '../../../fields/index.tsx';
import { useNames } from '../../../locales/catalogue-names.ts';
import type { BatchAction } from '../../../parts/lists/batch.ts';
import { WideTable } from '../../../parts/lists/WideTable.tsx';
import { deviceOf, draftOf, type Draft, type Newcomer } from './newcomer.ts';
import styles from './inbox.module.css';

const quiet = { quiet: true };
const reporting = families.filter((family) => family.report !== null);
type Drafts = Readonly<Record<number, Partial<Draft>>>;

/**
 * What can be done with several newcomers: each becomes a new device with a code, name and pole of its own; or they are
 * kept out.
 */
export function useClaims(): readonly BatchAction<Newcomer>[] {
  const { t } = useTranslation('provisioning');
  const [drafts, setDrafts] = useState<Drafts>({});
  const waits = (one: Newcomer): string | undefined => (one.state === 'waiting' ? undefined : t(`state.${one.state}`));
  const claim = (one: Newcomer): Promise<unknown> => {
    const draft = draftOf(one, drafts[one.id]);
    if (draft.family === '') return Promise.reject(new Error(t('several.noFamily')));
    return call(claimNewcomer, { params: { id: one.id }, body: { device: deviceOf(one, draft) } }, quiet);
  };
  return [
    {
      key: 'claim',
      label: t('several.claim'),
      title: (n) => t('several.claim.title', { n }),
      run: claim,
      against: (one) => waits(one) ?? (one.ready ? undefined : t('several.notReady')),
      about: (rows) => (
        <Table
          rows={rows}
          drafts={drafts}
          onChange={(id, change) => setDrafts((before) => ({ ...before, [id]: { ...before[id], ...change } }))}
        />
      ),
    },
    {
      key: 'block',
      label: t('block'),
      danger: true,
      title: (n) => t('several.block.title', { n }),
      against: waits,
      about: () => <p>{t('block.about')}</p>,
      run: (one) => call(blockNewcomer, { params: { id: one.id }, body: { blocked: true } }, quiet),
    },
    {
      key: 'forget',
      label: t('forget'),
      danger: true,
      title: (n) => t('several.forget.title', { n }),
      about: () => <p>{t('forget.about')}</p>,
      run: (one) => call(forgetNewcomer, { params: { id: one.id } }, quiet),
    },
  ];
}

function Table({
  rows,
  drafts,
  onChange,
}: {
  rows: readonly Newcomer[];
  drafts: Drafts;
  onChange: (id: number, change: Partial<Draft>) => void;
}) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const heads = [
    t('list.serial'),
    t('list.family'),
    names.field('equipmentCode'),
    names.field('equipmentName'),
    names.field('lamppostId'),
  ];
  const cellsOf = (one: Newcomer): ReactNode[] => {
    const draft = draftOf(one, drafts[one.id]);
    const said = (index: number): string => `${one.serial} ${heads[index] ?? ''}`;
    const change = (next: Partial<Draft>): void => onChange(one.id, next);
    return [
      <span key="serial" className="code">
        {one.serial}
      </span>,
      <Select
        key="family"
        aria-label={said(1)}
        value={draft.family === '' ? null : draft.family}
        status={draft.family === '' ? 'warning' : ''}
        placeholder={t('device.chooseFamily')}
        showSearch={{ optionFilterProp: 'label' }}
        options={reporting.map(({ key }) => ({ value: key, label: names.family(key) }))}
        onChange={(family) => change({ family })}
      />,
      <Input
        key="code"
        aria-label={said(2)}
        value={draft.code}
        maxLength={100}
        onChange={(event) => change({ code: event.target.value })}
      />,
      <Input
        key="name"
        aria-label={said(3)}
        value={draft.name}
        maxLength={100}
        onChange={(event) => change({ name: event.target.value })}
      />,
      <Pole key="pole" one={one} draft={draft} label={said(4)} onChange={(poleId) => change({ poleId })} />,
    ];
  };
  return (
    <div className={styles.several}>
      <p className={styles.hint}>{t('several.claim.about')}</p>
      <WideTable
        label={t('several.claim')}
        heads={heads}
        rows={rows.map((one) => ({ key: String(one.id), cells: cellsOf(one) }))}
      />
    </div>
  );
}

function Pole({
  one,
  draft,
  label,
  onChange,
}: {
  one: Newcomer;
  draft: Draft;
  label: string;
  onChange: (poleId: number | null) => void;
}) {
  const pole = familyOf(draft.family)?.field.get('lamppostId');
  if (!pole) return '—';
  return (
    <label>
      <span className={styles.unseen}>{label}</span>
      <FieldInput
        field={pole}
        id={`pole-${one.id}`}
        value={draft.poleId}
        onChange={(value) => onChange(typeof value === 'number' ? value : null)}
        invalid={false}
        describedBy={undefined}
        around={{ owner: draft.family, workId: one.workId, labels: {}, secrets: [] }}
      />
    </label>
  );
}
