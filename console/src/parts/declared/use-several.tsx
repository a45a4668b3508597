import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mostCurveDevices } from '../../../../contract/history/history.ts';
import { mostLabels, printLabels } from '../../../../contract/register/labels.ts';
import { download } from '../../api/index.ts';
import { useOpen, usePageExists } from '../../frame/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { Batch, BatchAction, BatchTool } from '../lists/batch.ts';
import { BatchEdit, isReady, nothing } from './BatchEdit.tsx';
import { SeveralChanges } from './ChangeAffects.tsx';
import type { Row, Source } from './source.ts';
import type { ListAddress } from '../lists/use-list-address.ts';
import { changeDevice, deleteRow, fetchRows, touched } from './use-source.ts';

interface Allowed {
  readonly edit: boolean;
  readonly del: boolean;
}

/**
 * What can be done with several rows of a source: devices are edited, enabled and disabled; everything can be deleted.
 */
export function useSeveral(
  source: Source,
  { filters, sort }: Pick<ListAddress, 'filters' | 'sort'>,
  allowed: Allowed,
): Batch<Row> {
  const edits = useEdits(source);
  const remove = useRemoval(source);
  const labels = useLabels();
  const curves = useCurves(source);
  const nameOf = (row: Row): string => String(row[source.codeField] ?? row.id);
  return {
    nameOf,
    refreshes: touched(source),
    page: (page, size) => fetchRows(source, { ...filters, page, size, ...(sort === undefined ? {} : { sort }) }),
    ...(source.kind === 'device' ? { tools: [...curves, labels] } : {}),
    actions: [...(allowed.edit && source.kind === 'device' ? edits : []), ...(allowed.del ? [remove] : [])],
  };
}

/** What several of them measured, over each other. */
function useCurves(source: Source): BatchTool<Row>[] {
  const { t } = useTranslation('declared');
  const open = useOpen();
  const exists = usePageExists();
  if (!exists('lamp/history') || source.quantities.length === 0) return [];
  return [
    {
      key: 'curves',
      label: t('several.curves'),
      run: (rows) => {
        if (rows.length > mostCurveDevices) throw new Error(t('several.curves.most', { n: mostCurveDevices }));
        open('lamp/history', { search: `?devices=${rows.map(({ id }) => id).join(',')}` });
        return Promise.resolve();
      },
    },
  ];
}

/** QR labels to be stuck on the things themselves; what is on a label leads to its page. */
function useLabels(): BatchTool<Row> {
  const { t } = useTranslation('declared');
  return {
    key: 'labels',
    label: t('several.labels'),
    run: (rows) => {
      if (rows.length > mostLabels) throw new Error(t('several.labels.most', { n: mostLabels }));
      return download(printLabels, { body: { ids: rows.map(({ id }) => id) } }, 'labels.pdf', { quiet: true });
    },
  };
}

/** Deleting; the server refuses those on which others hang, and says which. */
function useRemoval(source: Source): BatchAction<Row> {
  const { t } = useTranslation('declared');
  return {
    key: 'delete',
    label: t('list.delete'),
    danger: true,
    title: (n) => t('delete.several', { n }),
    about: () => <p>{t(source.kind === 'device' ? 'delete.several.devices' : 'delete.several.records')}</p>,
    run: (row) => deleteRow(source, row.id),
  };
}

function useEdits(source: Source): BatchAction<Row>[] {
  const { t } = useTranslation('declared');
  const names = useNames();
  const [chosen, setChosen] = useState(nothing);
  const turn = (status: 'enabled' | 'disabled'): BatchAction<Row> => ({
    key: status,
    label: t(`several.${status}`),
    title: (n) => t(`several.${status}.title`, { n }),
    about: (rows) => (
      <>
        <p>{t(`several.${status}.about`)}</p>
        <SeveralChanges rows={rows} change={{ status }} />
      </>
    ),
    against: (row) =>
      row['status'] === status ? t('several.already', { status: names.option('status', status) }) : undefined,
    run: (row) => changeDevice(row.id, { status }),
  });
  const { field, value } = chosen;
  return [
    {
      key: 'edit',
      label: t('several.edit'),
      title: (n) => t('several.edit.title', { n }),
      ready: isReady(chosen),
      about: (rows) => <BatchEdit source={source} rows={rows} chosen={chosen} onChange={setChosen} />,
      run: (row) =>
        field === undefined
          ? Promise.reject(new Error('no field was chosen'))
          : changeDevice(row.id, { [field.key]: value }),
    },
    turn('enabled'),
    turn('disabled'),
  ];
}
