import { Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families, familyOf } from '../../../../../catalogue/families/index.ts';
import { blockNewcomer, claimNewcomer, forgetNewcomer } from '../../../../../contract/routes/provisioning.ts';
import { call } from '../../../api/index.ts';
import { FieldInput } from '../../../fields/index.tsx';
import { useNames } from '../../../parts/catalogue-names.ts';
import type { BatchAction } from '../../../parts/list/batch.ts';
import { deviceOf, draftOf, type Draft, type Newcomer } from './newcomer.ts';
import styles from './inbox.module.css';

const quiet = { quiet: true };
const reporting = families.filter((family) => family.report !== null);
type Drafts = Readonly<Record<number, Partial<Draft>>>;

/** What can be done with several newcomers: each becomes a new device with a code, name and pole of its own; or they are kept out. */
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
      key: 'claim', label: t('several.claim'), title: (n) => t('several.claim.title', { n }), run: claim,
      against: (one) => waits(one) ?? (one.ready ? undefined : t('several.notReady')),
      about: (rows) => <Table rows={rows} drafts={drafts} onChange={(id, change) => setDrafts((before) => ({ ...before, [id]: { ...before[id], ...change } }))} />,
    },
    {
      key: 'block', label: t('block'), danger: true, title: (n) => t('several.block.title', { n }), against: waits, about: () => <p>{t('block.about')}</p>,
      run: (one) => call(blockNewcomer, { params: { id: one.id }, body: { blocked: true } }, quiet),
    },
    {
      key: 'forget', label: t('forget'), danger: true, title: (n) => t('several.forget.title', { n }), about: () => <p>{t('forget.about')}</p>,
      run: (one) => call(forgetNewcomer, { params: { id: one.id } }, quiet),
    },
  ];
}

function Table({ rows, drafts, onChange }: { rows: readonly Newcomer[]; drafts: Drafts; onChange: (id: number, change: Partial<Draft>) => void }) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const heads = [t('list.serial'), t('list.family'), names.field('equipmentCode'), names.field('equipmentName'), names.field('lamppostId')];
  return (
    <div className={styles.several}>
      <p className={styles.hint}>{t('several.claim.about')}</p>
      <table>
        <thead><tr>{heads.map((head) => <th key={head} scope="col">{head}</th>)}</tr></thead>
        <tbody>{rows.map((one) => <Line key={one.id} one={one} draft={draftOf(one, drafts[one.id])} heads={heads} onChange={(change) => onChange(one.id, change)} />)}</tbody>
      </table>
    </div>
  );
}

function Line({ one, draft, heads, onChange }: { one: Newcomer; draft: Draft; heads: readonly string[]; onChange: (change: Partial<Draft>) => void }) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const pole = familyOf(draft.family)?.field.get('lamppostId');
  const said = (index: number): string => `${one.serial} ${heads[index] ?? ''}`;
  return (
    <tr>
      <th scope="row" className="code">{one.serial}</th>
      <td data-head={heads[1]}>
        <Select
          aria-label={said(1)} value={draft.family === '' ? null : draft.family} status={draft.family === '' ? 'warning' : ''} placeholder={t('device.chooseFamily')} showSearch={{ optionFilterProp: 'label' }}
          options={reporting.map(({ key }) => ({ value: key, label: names.family(key) }))} onChange={(family) => onChange({ family })}
        />
      </td>
      <td data-head={heads[2]}><Input aria-label={said(2)} value={draft.code} maxLength={100} onChange={(event) => onChange({ code: event.target.value })} /></td>
      <td data-head={heads[3]}><Input aria-label={said(3)} value={draft.name} maxLength={100} onChange={(event) => onChange({ name: event.target.value })} /></td>
      <td data-head={heads[4]}>
        {pole ? <label><span className={styles.unseen}>{said(4)}</span><FieldInput field={pole} id={`pole-${one.id}`} value={draft.poleId} onChange={(value) => onChange({ poleId: typeof value === 'number' ? value : null })} invalid={false} describedBy={undefined} around={{ owner: draft.family, workId: one.workId, labels: {}, secrets: [] }} /></label> : '—'}
      </td>
    </tr>
  );
}
