import { Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { listSchemes, listSchemeVersions } from '../../../../../contract/light/schemes.ts';
import { listTemplates, listTemplateVersions } from '../../../../../contract/light/templates.ts';
import { useCall } from '../../../api/index.ts';
import { Field, formStyles } from '../../../parts/form/index.ts';
import type { ItemRow, VersionRow } from '../../../parts/versioned/kind.ts';
import type { Chosen, PublishForm } from './use-publish-form.ts';

const query = { size: 200, sort: 'code,asc' } as const;

/** A scheme, a template, or both, each with its version; without one, lamps keep what they have. */
export function WhatFields({ form }: { form: PublishForm }) {
  const { scheme, template } = form;
  const schemes = useCall(listSchemes, { query });
  const templates = useCall(listTemplates, { query });
  const schemeVersions = useCall(
    listSchemeVersions,
    { params: { id: scheme.id ?? 0 } },
    { enabled: scheme.id !== null },
  );
  const templateVersions = useCall(
    listTemplateVersions,
    { params: { id: template.id ?? 0 } },
    { enabled: template.id !== null },
  );
  return (
    <div className={formStyles.grid}>
      <Item
        kind="scheme"
        chosen={scheme}
        rows={schemes.data?.data}
        versions={schemeVersions.data?.data}
        problem={form.problems['schemeId']}
        versionProblem={form.problems['schemeNumber']}
        onChange={form.setScheme}
      />
      <Item
        kind="template"
        chosen={template}
        rows={templates.data?.data}
        versions={templateVersions.data?.data}
        problem={form.problems['templateId']}
        versionProblem={form.problems['templateNumber']}
        onChange={form.setTemplate}
      />
    </div>
  );
}

interface ItemProps {
  kind: 'scheme' | 'template';
  chosen: Chosen;
  rows: readonly ItemRow[] | undefined;
  versions: readonly VersionRow[] | undefined;
  problem: string | undefined;
  versionProblem: string | undefined;
  onChange: (chosen: Chosen) => void;
}

const gone: ReadonlySet<string> = new Set(['withdrawn', 'retired']);

function Item({ kind, chosen, rows, versions, problem, versionProblem, onChange }: ItemProps) {
  const { t } = useTranslation('publish');
  const id = useId();
  // Without a version there is nothing to publish; what is withdrawn stays only where it was asked for.
  const options = (rows ?? []).filter((row) => row.newest !== null && (!gone.has(row.state) || row.id === chosen.id));
  const newest = rows?.find((row) => row.id === chosen.id)?.newest?.number;
  return (
    <>
      <Field
        id={`${id}-item`}
        label={t(kind)}
        problem={problem}
        hint={chosen.id === null ? t(`${kind}.none`) : undefined}
      >
        {(tie) => (
          <Select<number>
            {...tie}
            value={rows === undefined ? null : chosen.id}
            loading={rows === undefined}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={t('keep')}
            notFoundContent={t('nothing')}
            options={options.map((row) => ({ value: row.id, label: `${row.code} ${row.name}` }))}
            onChange={(next: number | undefined) => onChange({ id: next ?? null, number: null })}
          />
        )}
      </Field>
      <Field id={`${id}-version`} label={t('version')} problem={versionProblem}>
        {(tie) => (
          <Select<number>
            {...tie}
            disabled={chosen.id === null}
            value={versions === undefined ? null : (chosen.number ?? newest ?? null)}
            placeholder="—"
            options={(versions ?? []).map((row) => ({
              value: row.number,
              label: `${t(row.number === newest ? 'version.newest' : 'version.n', { n: row.number })}${row.note === null ? '' : ` · ${row.note}`}`,
            }))}
            onChange={(next) => onChange({ ...chosen, number: next === newest ? null : next })}
          />
        )}
      </Field>
    </>
  );
}
