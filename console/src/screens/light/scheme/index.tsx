import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { getScheme, getSchemeVersion, listSchemeVersions } from '../../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { ApiError, useCall } from '../../../api/index.ts';
import { useOpen, usePageExists, usePermission } from '../../../frame/index.ts';
import { Card, Empty, ErrorState, Page, PageBar, Skeleton } from '../../../parts/index.ts';
import { ItemPage } from '../../../parts/versioned/ItemPage.tsx';
import { schemeKind } from '../../../parts/versioned/scheme-kind.ts';
import { Versions } from '../../../parts/versioned/Versions.tsx';
import { CalendarTab } from './CalendarTab.tsx';
import { Findings } from './Findings.tsx';
import { LeftOut } from './LeftOut.tsx';
import { ProgrammesTab } from './ProgrammesTab.tsx';
import { SimulationTab } from './SimulationTab.tsx';
import { useSchemeWords } from './use-scheme-words.ts';
import { useSimulation } from './use-simulation.ts';

type Scheme = ReplyOf<typeof getScheme>;

/** One energy-saving scheme: its programmes, its calendar, its versions. */
export default function SchemePage() {
  const { t } = useTranslation('scheme');
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
  const { t } = useTranslation('scheme');
  return (
    <Page>
      <PageBar title={t('title')} />
      <Card>{children}</Card>
    </Page>
  );
}

function One({ id }: { id: number }) {
  const { t } = useTranslation('scheme');
  const open = useOpen();
  const exists = usePageExists();
  const { data, error, refetch } = useCall(getScheme, { params: { id } }, { staleTime: 0 });
  if (data) return <Loaded scheme={data} />;
  return (
    <Untold>
      {error === null ? (
        <Skeleton rows={10} height={560} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Empty
          title={t('gone')}
          {...(exists('lamp/schemes') ? { action: { text: t('toList'), onClick: () => open('lamp/schemes') } } : {})}
        />
      ) : (
        <ErrorState error={error} onRetry={refetch} />
      )}
    </Untold>
  );
}

function Loaded({ scheme }: { scheme: Scheme }) {
  const { t } = useTranslation('scheme');
  const words = useSchemeWords();
  const mayEdit = usePermission('plan.edit');
  const simulation = useSimulation(scheme.id);
  const isCalendar = (path: string): boolean => path.startsWith('calendar');
  return (
    <ItemPage<SchemeContent, 'programmes' | 'calendar' | 'simulation' | 'versions'>
      kind={schemeKind}
      item={scheme}
      words={words}
      mayEdit={mayEdit}
      list="lamp/schemes"
      publishing={simulation.publishing}
      notice={<LeftOut schemeId={scheme.id} publishable={scheme.newest !== null && scheme.state !== 'withdrawn'} />}
      tabs={[
        { key: 'programmes', label: t('tab.programmes'), holds: (path) => !isCalendar(path) },
        { key: 'calendar', label: t('tab.calendar'), holds: isCalendar },
        { key: 'simulation', label: t('tab.simulation') },
        { key: 'versions', label: t('tab.versions') },
      ]}
      renderTab={(tab, draft, readOnly) =>
        tab === 'programmes' ? (
          <ProgrammesTab draft={draft} readOnly={readOnly} />
        ) : tab === 'calendar' ? (
          <CalendarTab draft={draft} readOnly={readOnly} workAreaId={scheme.workAreaId} />
        ) : tab === 'simulation' ? (
          <SimulationTab
            schemeId={scheme.id}
            simulation={simulation}
            hasDraft={draft.item.draft !== null}
            unsaved={draft.changed}
          />
        ) : (
          <VersionsTab scheme={scheme} />
        )
      }
    />
  );
}

function VersionsTab({ scheme }: { scheme: Scheme }) {
  const words = useSchemeWords();
  const versions = useCall(listSchemeVersions, { params: { id: scheme.id } });
  return (
    <Versions
      kind={schemeKind}
      item={scheme}
      answer={versions}
      words={words}
      renderAbout={({ number, content }) => <FindingsOf id={scheme.id} number={number} content={content} />}
    />
  );
}

function FindingsOf({ id, number, content }: { id: number; number: number; content: SchemeContent }) {
  const version = useCall(getSchemeVersion, { params: { id, number } }, { staleTime: 3_600_000 });
  return <Findings findings={version.data?.findings ?? []} content={content} />;
}
