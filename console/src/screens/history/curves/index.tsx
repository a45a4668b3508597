import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLive } from '../../../api/index.ts';
import { Card, Icon, Page, PageBar, RefreshBar, useTime } from '../../../parts/index.ts';
import { useAddress } from '../../../parts/page/use-address.ts';
import { addressOf, choiceOf, type Choice } from '../../../parts/series/address.ts';
import { Curves } from './Curves.tsx';
import { DevicePicker } from './DevicePicker.tsx';
import { QuantityPicker } from './QuantityPicker.tsx';
import { TimeBar } from './TimeBar.tsx';
import { useHistory } from '../../../parts/series/use-history.ts';
import { useZoom } from './use-zoom.ts';
import styles from './history.module.css';

/**
 * Any quantities of any devices over any span: what they were, where nothing was reported, and how they were another
 * time.
 */
export default function HistoryCurves() {
  const { t } = useTranslation('curves');
  const time = useTime();
  const [params, put] = useAddress();
  const choice = useMemo(() => choiceOf(params), [params]);
  const history = useHistory(choice);
  const change = (next: Partial<Choice>): void => put(addressOf(next));
  const zoom = useZoom(choice.span, (span) => change({ span }));
  const about = history.about.data?.data ?? [];
  const known = choice.devices.length > 0 ? about : [];
  const { base } = history;
  const span = zoom.seen ?? history.span;
  return (
    <Page>
      <RefreshBar active={base.isFetching && base.data !== undefined} />
      <PageBar
        title={t('title')}
        note={
          choice.devices.length > 0 ? (
            <span className={styles.when}>
              {t('span.shown', { from: time(span.from, 'dateTime'), to: time(span.to, 'dateTime') })}
              {history.live && !history.stale ? (
                <span className={styles.live} title={t('live.text')}>
                  {t('live')}
                </span>
              ) : null}
            </span>
          ) : undefined
        }
        actions={
          <Button icon={<Icon name="retry" size={14} />} onClick={history.refresh}>
            {t('refresh')}
          </Button>
        }
      />
      {history.live ? choice.devices.map((id) => <Listening key={id} id={id} onNews={history.heard} />) : null}
      <Card>
        <div className={styles.choice}>
          <div className={styles.what}>
            <DevicePicker chosen={choice.devices} about={about} onChoose={(devices) => change({ devices })} />
            <QuantityPicker
              about={known}
              shown={choice.devices.length > 0 ? history.quantities : []}
              onChoose={(quantities) => change({ quantities })}
            />
          </div>
          <TimeBar
            choice={choice}
            span={span}
            used={base.data?.resolution}
            possible={base.data?.possible ?? []}
            onChange={(next) => {
              if (next.span) zoom.forget();
              change(next);
            }}
          />
        </div>
      </Card>
      <Curves choice={choice} history={{ ...history, span }} onChange={change} onZoom={zoom.zoom} onBack={zoom.back} />
    </Page>
  );
}

/** Hears when a device reported. */
function Listening({ id, onNews }: { id: number; onNews: () => void }) {
  useLive(`device:${id}`, onNews);
  return null;
}
