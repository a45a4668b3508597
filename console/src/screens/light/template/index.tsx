import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { TemplateContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { getTemplate, listTemplateVersions } from '../../../../../contract/light/templates.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { ApiError, useCall } from '../../../api/index.ts';
import { useOpen, usePageExists, usePermission } from '../../../frame/index.ts';
import { Card, Empty, ErrorState, Page, PageBar, Skeleton } from '../../../parts/index.ts';
import { ItemPage } from '../../../parts/versioned/ItemPage.tsx';
import { templateKind } from '../../../parts/versioned/template-kind.ts';
import { Versions } from '../../../parts/versioned/Versions.tsx';
import { FallbackTab } from './FallbackTab.tsx';
import { ParametersTab } from './ParametersTab.tsx';
import { useTemplateWords } from './use-template-words.ts';

type Template = ReplyOf<typeof getTemplate>;

/** One work parameter template: what controllers are set to, the programme without a scheme, its versions. */
export default function TemplatePage() {
  const { t } = useTranslation('template');
  const { id: text = '' } = useParams();
  return /^[1-9]\d{0,14}$/.test(text) ? (
    <One key={text} id={Number(text)} />
  ) : (
    <Untold>
      <Empty title={t('gone')} />
    </Untold>
  );
}

function Untold({ children }: { children: ReactNode }) {
  const { t } = useTranslation('template');
  return (
    <Page>
      <PageBar title={t('title')} />
      <Card>{children}</Card>
    </Page>
  );
}

function One({ id }: { id: number }) {
  const { t } = useTranslation('template');
  const open = useOpen();
  const exists = usePageExists();
  const { data, error, refetch } = useCall(getTemplate, { params: { id } }, { staleTime: 0 });
  if (data) return <Loaded template={data} />;
  return (
    <Untold>
      {error === null ? (
        <Skeleton rows={10} height={560} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Empty
          title={t('gone')}
          {...(exists('lamp/templates')
            ? { action: { text: t('toList'), onClick: () => open('lamp/templates') } }
            : {})}
        />
      ) : (
        <ErrorState error={error} onRetry={refetch} />
      )}
    </Untold>
  );
}

const isFallback = (path: string): boolean => path.startsWith('fallbackProgramme');

function Loaded({ template }: { template: Template }) {
  const { t } = useTranslation('template');
  const words = useTemplateWords();
  const mayEdit = usePermission('plan.template');
  return (
    <ItemPage<TemplateContent, 'parameters' | 'fallback' | 'versions'>
      kind={templateKind}
      item={template}
      words={words}
      mayEdit={mayEdit}
      list="lamp/templates"
      tabs={[
        { key: 'parameters', label: t('tab.parameters'), holds: (path) => !isFallback(path) },
        { key: 'fallback', label: t('tab.fallback'), holds: isFallback },
        { key: 'versions', label: t('tab.versions') },
      ]}
      renderTab={(tab, draft, readOnly) =>
        tab === 'parameters' ? (
          <ParametersTab draft={draft} readOnly={readOnly} />
        ) : tab === 'fallback' ? (
          <FallbackTab draft={draft} readOnly={readOnly} />
        ) : (
          <VersionsTab template={template} />
        )
      }
    />
  );
}

function VersionsTab({ template }: { template: Template }) {
  const words = useTemplateWords();
  const versions = useCall(listTemplateVersions, { params: { id: template.id } });
  return <Versions kind={templateKind} item={template} answer={versions} words={words} />;
}
