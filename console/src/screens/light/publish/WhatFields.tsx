import { Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { listSchemeVersions } from '../../../../../contract/light/schemes.ts';
import { listTemplateVersions } from '../../../../../contract/light/templates.ts';
import { useCall } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { Field, formStyles } from '../../../parts/form/index.ts';
import { ErrorState, NoPermission } from '../../../parts/index.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';
import { useItems } from '../../../parts/versioned/use-items.ts';
import type { Chosen, PublishForm } from './use-publish-form.ts';

/** A scheme, a template, or both, each with its version; without one, lamps keep what they have. */
export function WhatFields({ form }: { form: PublishForm }) {
  const { problems } = form;
  // Once for all four fields: nothing of them could be chosen.
  if (!usePermission('plan.query')) return <NoPermission code="plan.query" />;
  return (
    <div className={formStyles.grid}>
      <Item
        kind="scheme"
        chosen={form.scheme}
        problem={problems['schemeId']}
        versionProblem={problems['schemeNumber']}
        onChange={form.setScheme}
      />
      <Item
        kind="template"
        chosen={form.template}
        problem={problems['templateId']}
        versionProblem={problems['templateNumber']}
        onChange={form.setTemplate}
      />
    </div>
  );
}

interface ItemProps {
  kind: 'scheme' | 'template';
  chosen: Chosen;
  problem: string | undefined;
  versionProblem: string | undefined;
  onChange: (chosen: Chosen) => void;
}

const gone: ReadonlySet<string> = new Set(['withdrawn', 'retired']);

function Item({ kind, chosen, problem, versionProblem, onChange }: ItemProps) {
  const { t } = useTranslation('publish');
  const id = useId();
  const items = useItems(kind, chosen.id);
  const versions = useVersions(kind, chosen.id);
  // Without a version there is nothing to publish; what is withdrawn stays only where it was asked for.
  const offered = (items.rows ?? []).filter((row) => row.newest !== null && !gone.has(row.state));
  const { chosen: row } = items;
  const options = row === undefined || offered.some((one) => one.id === row.id) ? offered : [row, ...offered];
  const newest = row?.newest?.number;
  // Without the list there is no version to choose either.
  if (items.failed)
    return (
      <div className={formStyles.wide}>
        <ErrorState title={t(`${kind}.failed`)} error={items.failed.error} onRetry={items.failed.refetch} />
      </div>
    );
  const isNone = items.rows !== undefined && items.search.searchValue === '' && !items.loading && options.length === 0;
  return (
    <>
      <Field
        id={`${id}-item`}
        label={t(kind)}
        problem={problem}
        hint={isNone ? <First kind={kind} /> : chosen.id === null ? t(`${kind}.none`) : undefined}
      >
        {(tie) => (
          <Select<number>
            {...tie}
            value={row === undefined ? null : chosen.id}
            loading={items.loading}
            allowClear
            showSearch={items.search}
            placeholder={t('keep')}
            notFoundContent={t(items.loading ? 'scope.finding' : 'nothing')}
            options={options.map((one) => ({ value: one.id, label: `${one.code} ${one.name}` }))}
            onChange={(next: number | undefined) => onChange({ id: next ?? null, number: null })}
          />
        )}
      </Field>
      <Field id={`${id}-version`} label={t('version')} problem={versionProblem}>
        {(tie) =>
          versions.error && !versions.data ? (
            <ErrorState title={t('version.failed')} error={versions.error} onRetry={versions.refetch} />
          ) : (
            <Select<number>
              {...tie}
              disabled={chosen.id === null}
              loading={chosen.id !== null && versions.isPending}
              value={versions.data === undefined ? null : (chosen.number ?? newest ?? null)}
              placeholder="—"
              options={(versions.data?.data ?? []).map((one) => ({
                value: one.number,
                label: `${t(one.number === newest ? 'version.newest' : 'version.n', { n: one.number })}${one.note === null ? '' : ` · ${one.note}`}`,
              }))}
              onChange={(next) => onChange({ ...chosen, number: next === newest ? null : next })}
            />
          )
        }
      </Field>
    </>
  );
}

/** Nothing can be published yet: where it is made. */
function First({ kind }: Pick<ItemProps, 'kind'>) {
  const { t } = useTranslation('publish');
  return (
    <>
      {t('first')} <PageLink to={`lamp/${kind}s`}>{t(kind)}</PageLink>
    </>
  );
}

function useVersions(kind: ItemProps['kind'], id: number | null) {
  const params = { id: id ?? 0 };
  const schemes = useCall(listSchemeVersions, { params }, { enabled: id !== null && kind === 'scheme' });
  const templates = useCall(listTemplateVersions, { params }, { enabled: id !== null && kind === 'template' });
  return kind === 'scheme' ? schemes : templates;
}
