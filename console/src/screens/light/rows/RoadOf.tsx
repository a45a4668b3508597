import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getRows, listRowRoads, orderRows, putRows } from '../../../../../contract/light/rows.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { ask } from '../../../frame/ask.ts';
import { usePermission, useUnsaved } from '../../../frame/index.ts';
import { Alert, Card, ErrorState, PageBar, Skeleton, toast, useErrorText, useZone } from '../../../parts/index.ts';
import { useNarrow } from '../../../parts/page/use-narrow.ts';
import { Affects } from '../../../parts/dry-run/Affects.tsx';
import { RowStrip } from '../../../parts/row-strip/RowStrip.tsx';
import { placeOf, type Shown } from '../../../parts/row-strip/strip.ts';
import { inPreview } from '../../../session/index.ts';
import { bodyOf, editedOf, isSame, moved, takenOut, turned, type Edited, type RoadRows } from './edit-rows.ts';
import { ChosenPole } from './ChosenPole.tsx';
import { Preview, tonight } from './Preview.tsx';
import { Walk } from './Walk.tsx';
import styles from './rows.module.css';

/** The rows of one road: looked at, ordered by coordinates, or changed by hand. */
export function RoadOf({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('rows');
  const { data, error, refetch } = useCall(getRows, { query: { roadId: id } }, { staleTime: 0 });
  // What was read first stays while somebody changes it, whatever is fetched meanwhile.
  const [loaded, setLoaded] = useState<RoadRows>();
  if (data && !loaded) setLoaded(data);
  if (loaded)
    return (
      <Editor
        key={loaded.version}
        loaded={loaded}
        onLoaded={setLoaded}
        onAgain={() => void refetch().then((read) => setLoaded(read.data))}
        onClose={onClose}
      />
    );
  return (
    <>
      <PageBar title={t('title')} actions={<Button onClick={onClose}>{t('back')}</Button>} />
      <Card>
        {error ? (
          <ErrorState title={t('road.failed')} error={error} onRetry={refetch} />
        ) : (
          <Skeleton rows={6} height={260} />
        )}
      </Card>
    </>
  );
}

/** Rows of so many poles are tried while they are changed: a try writes them all. */
const triedUpTo = 2_000;

interface EditorProps {
  readonly loaded: RoadRows;
  readonly onLoaded: (rows: RoadRows) => void;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

function Editor({ loaded, onLoaded, onAgain, onClose }: EditorProps) {
  const { t } = useTranslation('rows');
  const errorText = useErrorText();
  const may = usePermission('plan.edit') && !inPreview();
  const zone = useZone();
  const narrow = useNarrow();
  const before = editedOf(loaded);
  const [edited, setEdited] = useState<Edited>(before);
  const [chosen, setChosen] = useState<number | null>(null);
  const [shown, setShown] = useState<Shown>(() => ({
    pattern: 'alternateOne',
    day: tonight(zone),
    rotation: 'weekly',
  }));
  const [said, setSaid] = useState('');
  const put = useSend(putRows, [getRows, listRowRoads], { quiet: true });
  const order = useSend(orderRows, [getRows, listRowRoads], { quiet: true });
  const changed = !isSame(edited, before);
  const busy = put.isPending || order.isPending;
  const byHand = loaded.rows.some(({ source }) => source === 'hand');
  const { version, road } = loaded;
  const poles = edited.rows.reduce((sum, row) => sum + row.poles.length, 0);
  useUnsaved(changed);

  const change = (next: Edited, pole: number): void => {
    setEdited(next);
    setChosen(pole);
    const place = placeOf(next.rows, pole);
    setSaid(place ? t('moved', { side: t(`side.${place.side}`), n: place.index + 1 }) : t('taken'));
  };
  const leave = async (): Promise<void> => {
    if (changed && !(await ask({ kind: 'unsaved', pages: [{ title: road.name, language: null }] }))) return;
    onClose();
  };
  const sent = (work: Promise<RoadRows>, done: string): void =>
    void work.then(
      (rows) => {
        toast.done(done);
        onLoaded(rows);
      },
      (thrown: unknown) => toast.failed(errorText(thrown)),
    );
  const save = (): void =>
    sent(put.mutateAsync({ params: { roadId: road.id }, body: bodyOf(edited, version) }), t('saved'));
  const orderAll = (all: boolean): void =>
    sent(order.mutateAsync({ params: { roadId: road.id }, body: { all, version } }), t('ordered'));
  return (
    <>
      <PageBar
        title={road.name}
        note={t('road.note', { code: road.code, how: t(byHand ? 'byHand' : 'auto') })}
        actions={
          <>
            {may && !changed ? (
              <Button disabled={busy} onClick={() => orderAll(byHand)}>
                {t(byHand ? 'orderAll' : 'order')}
              </Button>
            ) : null}
            <Button onClick={() => void leave()}>{t('back')}</Button>
          </>
        }
      />
      {put.error?.status === 409 || order.error?.status === 409 ? (
        <Alert title={t('conflict')} action={<Button onClick={onAgain}>{t('conflict.again')}</Button>} />
      ) : null}
      <Card title={t('strip')}>
        {edited.rows.length === 0 ? (
          <p className={styles.note}>{t('strip.none')}</p>
        ) : (
          <>
            <Preview shown={shown} onShow={setShown} />
            <RowStrip
              rows={edited.rows}
              shown={shown}
              chosen={chosen}
              onChoose={setChosen}
              onMove={may ? (pole, to) => change(moved(edited, pole, to), pole) : undefined}
            />
            <p className={styles.note}>{t(may ? 'strip.keys' : 'strip.look')}</p>
          </>
        )}
        <p className={styles.said} aria-live="polite">
          {said}
        </p>
        <ChosenPole
          edited={edited}
          id={chosen}
          may={may}
          onMove={(pole, to) => change(moved(edited, pole, to), pole)}
          onTakeOut={(pole) => change(takenOut(edited, pole), pole)}
          onKeep={(pole) => setEdited(turned(edited, pole))}
        />
        {may && narrow && chosen !== null ? (
          <Walk
            edited={edited}
            id={chosen}
            onWalk={(next, pole) => (next === edited ? setChosen(pole) : change(next, pole))}
          />
        ) : null}
        {may && changed && !put.error && poles <= triedUpTo ? (
          <Affects
            route={putRows}
            input={edited.rows.length === 0 ? null : { params: { roadId: road.id }, body: bodyOf(edited, version) }}
            things={['positions']}
            effectOf={({ darkens }) => ({ darker: darkens })}
          />
        ) : null}
        {may && changed ? (
          <div className={styles.foot}>
            <span className={styles.note}>{t('unsaved')}</span>
            <Button disabled={busy} onClick={() => setEdited(before)}>
              {t('undo')}
            </Button>
            <Button type="primary" loading={put.isPending} disabled={busy || edited.rows.length === 0} onClick={save}>
              {t('save')}
            </Button>
          </div>
        ) : null}
      </Card>
      {edited.unplaced.length === 0 ? null : (
        <Card title={t('unplaced.title', { n: edited.unplaced.length })}>
          <p className={styles.note}>{t('unplaced.note')}</p>
          <ul className={styles.lost}>
            {edited.unplaced.map((pole) => (
              <li key={pole.id}>
                <b className="code">{pole.code}</b>
                <span>{t(pole.latitude === null ? 'unplaced.nowhere' : 'unplaced.out')}</span>
                {may ? (
                  <Button
                    size="small"
                    aria-label={t('place.label', { code: pole.code })}
                    onClick={() =>
                      change(
                        moved(edited, pole.id, {
                          side: pole.roadside,
                          index: edited.rows.find(({ side }) => side === pole.roadside)?.poles.length ?? 0,
                        }),
                        pole.id,
                      )
                    }
                  >
                    {t('place')}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
