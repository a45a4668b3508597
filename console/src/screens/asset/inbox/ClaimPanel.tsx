import { Button, Checkbox, Segmented, Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families, familyOf } from '../../../../../catalogue/families/index.ts';
import type { FieldValue } from '../../../../../catalogue/fields/index.ts';
import type { BodyOf, ReplyOf } from '../../../../../contract/route.ts';
import { claimNewcomer, getNewcomer, listBatches, listConnectable, listNewcomers } from '../../../../../contract/routes/provisioning.ts';
import { listDevices } from '../../../../../contract/routes/devices.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { useNames } from '../../../parts/catalogue-names.ts';
import { useRested } from '../../../parts/form/index.ts';
import { deviceSource, type Row, type Source } from '../../../parts/declared/source.ts';
import type { useTypedInput } from '../../../parts/declared/use-typed-input.ts';
import { FamilyForm } from '../../../parts/FamilyForm.tsx';
import { inPreview } from '../../../session/index.ts';
import { mainOf } from '../connect/DeviceStep.tsx';
import { Refusal } from '../imports/Alert.tsx';
import { deviceOf, draftOf, type OpenNewcomer } from './newcomer.ts';
import styles from './inbox.module.css';

/** Says that something was typed, and asks before it is lost. */
export type Typing = ReturnType<typeof useTypedInput>;
export type Claimed = ReplyOf<typeof claimNewcomer>;
const reporting = families.filter((family) => family.report !== null);
const useClaim = () => useSend(claimNewcomer, [listNewcomers, getNewcomer, listBatches, listConnectable, listDevices], { quiet: true });

interface Props { one: OpenNewcomer; onClaimed: (claimed: Claimed) => void; typing: Typing }

/** Makes a newcomer a device: a new one, its form filled with what it said, or one that is registered already. */
export function ClaimPanel({ one, onClaimed, typing }: Props) {
  const { t } = useTranslation('provisioning');
  const [kind, setKind] = useState<'new' | 'existing'>(one.matches.length > 0 ? 'existing' : 'new');
  return (
    <div className={styles.claim}>
      <Segmented<'new' | 'existing'> value={kind} onChange={(next) => typing.guard(() => setKind(next))} options={[{ value: 'new', label: t('device.new') }, { value: 'existing', label: t('claim.existing') }]} aria-label={t('claim.title')} />
      {kind === 'new' ? <AsNew one={one} onClaimed={onClaimed} typing={typing} /> : <AsExisting one={one} onClaimed={onClaimed} />}
    </div>
  );
}

function AsNew({ one, onClaimed, typing }: Props) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const [family, setFamily] = useState(one.family);
  const known = familyOf(family ?? '');
  const source = useMemo(() => (known ? deviceSource(known) : null), [known]);
  return (
    <>
      <div className={styles.field}>
        <label htmlFor="claim-family">{t('device.family')}</label>
        <Select id="claim-family" className={styles.family ?? ''} value={family} placeholder={t('device.chooseFamily')} showSearch={{ optionFilterProp: 'label' }} options={reporting.map(({ key }) => ({ value: key, label: names.family(key) }))} onChange={(next) => typing.guard(() => setFamily(next))} />
      </div>
      {source ? <NewForm key={source.key} one={one} source={source} onClaimed={onClaimed} onTyped={typing.setTyped} /> : null}
    </>
  );
}

function NewForm({ one, source, onClaimed, onTyped }: { one: OpenNewcomer; source: Source; onClaimed: (claimed: Claimed) => void; onTyped: (typed: boolean) => void }) {
  const { t } = useTranslation('provisioning');
  const send = useClaim();
  const [all, setAll] = useState(false);
  const shown = useMemo(() => (all ? source : mainOf(source)), [all, source]);
  const [initial] = useState(() => {
    const { family: _family, ...values } = deviceOf(one, draftOf(one, undefined));
    return { values: values as Record<string, FieldValue>, labels: { workId: one.workName } };
  });
  const create = async (body: Readonly<Record<string, FieldValue>>): Promise<Row> => {
    const claimed = await send.mutateAsync({ params: { id: one.id }, body: { device: { ...body, family: source.key } } as BodyOf<typeof claimNewcomer> });
    onClaimed(claimed);
    return { id: claimed.deviceId, version: 1, labels: {}, updateTime: null };
  };
  return (
    <div className={styles.form}>
      <FamilyForm
        source={shown} row={null} reload={() => Promise.resolve(undefined)} initial={initial} create={create} submitText={t('claim.submit')} onDirty={onTyped} onSaved={() => onTyped(false)}
        cancelText={t(all ? 'device.lessFields' : 'device.allFields')} onCancel={() => setAll(!all)}
      />
    </div>
  );
}

interface Choice { readonly value: number; readonly label: string }

function AsExisting({ one, onClaimed }: { one: OpenNewcomer; onClaimed: (claimed: Claimed) => void }) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const send = useClaim();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Choice | null>(() => { const [match] = one.matches; return match ? { value: match.id, label: match.code } : null; });
  const [replace, setReplace] = useState(false);
  const q = useRested(search.trim());
  const found = useCall(listConnectable, { query: { workArea: one.workId, ...(one.family === null ? {} : { family: one.family }), ...(q === '' ? {} : { q }) } }, { quiet: true, keepPrevious: true, staleTime: 0 });
  const others = (found.data?.data ?? []).filter(({ id }) => one.matches.every((match) => match.id !== id));
  const options = [...one.matches, ...others].map((device) => ({ value: device.id, label: `${device.code} ${device.name ?? ''} · ${names.family(device.family)}` }));
  const taken = one.matches.find(({ id }) => id === chosen?.value)?.hasCredentials === true;
  const claim = (): void => {
    if (chosen) send.mutate({ params: { id: one.id }, body: { deviceId: chosen.value, ...(taken ? { replace } : {}) } }, { onSuccess: onClaimed });
  };
  return (
    <>
      <div className={styles.field}>
        <label htmlFor="claim-device">{t('device.which')}</label>
        <Select
          id="claim-device" value={chosen} labelInValue placeholder={t('device.search')} loading={found.isFetching} showSearch={{ filterOption: false, searchValue: search, onSearch: setSearch }} options={options}
          notFoundContent={found.isFetching ? t('device.searching') : t('device.noneLeft')} onChange={(next: Choice | undefined) => setChosen(next ?? null)}
        />
        <p className={styles.hint}>{one.matches.length > 0 ? t('claim.matches') : t('device.existingHint')}</p>
      </div>
      {taken ? <Checkbox checked={replace} onChange={(event) => setReplace(event.target.checked)}>{t('claim.replace')}</Checkbox> : null}
      {send.error ? <Refusal error={send.error} /> : null}
      <div><Button type="primary" disabled={chosen === null || inPreview() || (taken && !replace)} loading={send.isPending} onClick={claim}>{t('claim.submit')}</Button></div>
    </>
  );
}
