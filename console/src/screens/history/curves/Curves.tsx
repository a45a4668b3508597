import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNames } from '../../../locales/catalogue-names.ts';
import { CurveStack, useInk } from '../../../parts/curves/CurveStack.tsx';
import { gapsWithin } from '../../../parts/curves/gaps.ts';
import type { Curve, Span } from '../../../parts/curves/model.ts';
import {
  Card,
  Empty,
  ErrorState,
  formatList,
  Skeleton,
  StaleNote,
  useErrorText,
  useTime,
} from '../../../parts/index.ts';
import type { Choice } from '../../../parts/series/address.ts';
import { DataTable } from './DataTable.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { panelsOf, pictured } from '../../../parts/series/panels.ts';
import { pictureOf, saveFile } from './picture.ts';
import { Summary } from './Summary.tsx';
import { Tools } from './Tools.tsx';
import type { History } from '../../../parts/series/use-history.ts';
import { useNights } from '../../../parts/series/use-nights.ts';
import styles from './history.module.css';

interface Props {
  choice: Choice;
  history: History;
  onChange: (change: Partial<Choice>) => void;
  onZoom: (span: Span) => void;
  onBack: (() => void) | null;
}

/** The curves in every state they can be in: nothing chosen, on their way, refused, empty, drawn or as a table. */
export function Curves(props: Props) {
  const { t } = useTranslation('curves');
  const {
    choice,
    history: { about, base, quantities, reply },
  } = props;
  if (choice.devices.length === 0)
    return (
      <Card>
        <Empty title={t('empty.choose')} text={t('empty.chooseText')} />
      </Card>
    );
  if (about.error && !about.data)
    return (
      <Card>
        <ErrorState error={about.error} onRetry={about.refetch} />
      </Card>
    );
  if (about.data && !about.isPlaceholderData && quantities.length === 0)
    return (
      <Card>
        <Empty title={t('empty.quantities')} text={t('empty.quantitiesText')} />
      </Card>
    );
  if (base.error && !reply)
    return (
      <Card>
        <ErrorState error={base.error} onRetry={base.refetch} />
      </Card>
    );
  if (!reply)
    return (
      <Card>
        <Skeleton rows={8} height={480} />
      </Card>
    );
  return <Drawn {...props} />;
}

function Drawn({ choice, history, onChange, onZoom, onBack }: Props) {
  const { t, i18n } = useTranslation('curves');
  const ink = useInk();
  const apart = choice.apart ? 'units' : 'few';
  const names = useNames();
  const { reply, curves, span, about, quantities, now, base } = history;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const nights = useNights(about.data?.data ?? [], span);
  const penned = useMemo(() => pictured(curves, apart).flatMap((one) => one.curves), [curves, apart]);
  const panels = useMemo(
    () =>
      panelsOf(
        curves,
        { from: span.from, to: span.to },
        {
          apart,
          hidden,
          titleOf: (keys) =>
            formatList(
              keys.map((key) => names.quantity(key)),
              i18n.language,
            ),
        },
      ),
    [curves, span.from, span.to, apart, hidden, names, i18n.language],
  );
  const label = useLabel(curves, span);
  // Whoever zoomed into a gap finds the way back where it always is.
  const isEmpty = reply?.series.every(({ points }) => points.length === 0) === true && !base.isFetching;
  const units = new Set(curves.filter(({ words }) => words === undefined).map(({ unit }) => unit)).size;
  const picture = async (): Promise<void> =>
    saveFile(await pictureOf(panels, span, nights, ink, label), `${t('title')}.png`);
  const content = () => {
    if (isEmpty)
      return (
        <Empty
          title={t('empty.none')}
          text={t('empty.noneText')}
          {...(choice.span === '30d'
            ? {}
            : { action: { text: t('empty.back'), onClick: () => onChange({ span: '30d' }) } })}
        />
      );
    if (choice.view === 'table') return <DataTable curves={penned} span={span} />;
    if (panels.length === 0)
      return (
        <Empty title={t('empty.hidden')} action={{ text: t('empty.show'), onClick: () => setHidden(new Set()) }} />
      );
    return (
      <CurveStack
        panels={panels}
        span={span}
        nights={nights}
        now={now}
        chosen={chosen}
        label={label}
        onZoom={onZoom}
        {...(onBack ? { onBack } : {})}
      />
    );
  };
  return (
    <>
      <Card>
        <h2 className="visually-hidden">{t(choice.view === 'table' ? 'table' : 'view.chart')}</h2>
        <Tools choice={choice} span={span} canPart={units === 2} onChange={onChange} onZoom={onZoom} onBack={onBack}>
          <ExportMenu
            devices={choice.devices}
            quantities={quantities}
            span={span}
            resolution={reply?.resolution ?? 'raw'}
            onPicture={choice.view === 'chart' && panels.length > 0 && !isEmpty ? picture : null}
          />
        </Tools>
        <Notes history={history} choice={choice} />
        {content()}
        {choice.view === 'chart' && panels.length > 0 && !isEmpty ? (
          <p className={styles.hint}>{t('zoom.hint')}</p>
        ) : null}
      </Card>
      {isEmpty ? null : (
        <Card title={t('summary')} flush>
          <Summary
            curves={penned}
            series={reply?.series ?? []}
            span={span}
            hidden={hidden}
            onChoose={setChosen}
            onHide={(key, hide) =>
              setHidden(new Set(hide ? [...hidden, key] : [...hidden].filter((one) => one !== key)))
            }
          />
        </Card>
      )}
    </>
  );
}

/** What must be known about the curves before they are believed. */
function Notes({ history: { reply, about, other, stale }, choice }: Pick<Props, 'history' | 'choice'>) {
  const { t } = useTranslation('curves');
  const errorText = useErrorText();
  const time = useTime();
  const lost = about.data && !about.isPlaceholderData ? choice.devices.length - about.data.data.length : 0;
  const notes = [
    ...(reply?.truncated ? [t('truncated')] : []),
    ...(lost > 0 ? [t('devices.lost', { n: lost })] : []),
    ...(other.isFetching && !other.data ? [t('compare.loading')] : []),
    ...(other.error ? [`${t('compare.failed')} · ${errorText(other.error)}`] : []),
  ];
  return (
    <>
      {notes.map((note) => (
        <p key={note} className={styles.note} role="status">
          {note}
        </p>
      ))}
      {stale && reply ? <StaleNote time={time(reply.to, 'minute')} /> : null}
    </>
  );
}

/** In words what the pictures show. */
function useLabel(curves: readonly Curve[], span: Span): string {
  const { t, i18n } = useTranslation('curves');
  const time = useTime();
  const own = curves.filter(({ moved }) => moved === undefined);
  const names = formatList(
    own.slice(0, 4).map(({ name }) => name),
    i18n.language,
  );
  return t('label', {
    names: own.length > 4 ? t('label.more', { names }) : names,
    from: time(span.from, 'dateTime'),
    to: time(span.to, 'dateTime'),
    n: curves.length,
    gaps: own.reduce((sum, { points }) => sum + gapsWithin(points.gaps, span).length, 0),
  });
}
