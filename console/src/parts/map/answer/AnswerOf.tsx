import { useTranslation } from 'react-i18next';
import { systemCodes } from '../../../../../catalogue/coordinates.ts';
import type { testBaseMap } from '../../../../../contract/shell/base-maps.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { formatNumber, Icon } from '../../index.ts';
import styles from './answer.module.css';

type Answer = ReplyOf<typeof testBaseMap>;
type Layer = Answer['layers'][number];

/** What a map service really answered, layer by layer: the picture, or in plain words why there is none. */
export function AnswerOf({ answer: { layers, tile, stated, system } }: { answer: Answer }) {
  const { t } = useTranslation('base-maps');
  const place = `${stated.latitude.toFixed(6)}°, ${stated.longitude.toFixed(6)}°`;
  return (
    <div className={styles.answer}>
      {layers.length === 0 ? (
        <p className={styles.words} data-good="">
          <Icon name="check" size={14} />
          <span>{t('answer.nobody')}</span>
        </p>
      ) : (
        layers.map((layer, index) => (
          <LayerAnswer
            key={index}
            layer={layer}
            title={layers.length > 1 ? t('answer.layer', { n: index + 1 }) : null}
          />
        ))
      )}
      {layers.length === 0 ? null : (
        <p className={styles.facts}>
          <span className="num">{t('answer.tile', { z: tile.z, x: tile.x, y: tile.y })}</span>{' '}
          <span className="num">
            {systemCodes[system]} {place}
          </span>
        </p>
      )}
    </div>
  );
}

function LayerAnswer({
  layer: { address, status, ms, bytes, contentType, width, height, problem, detail, picture },
  title,
}: {
  layer: Layer;
  title: string | null;
}) {
  const { t, i18n } = useTranslation('base-maps');
  const size =
    bytes === null
      ? null
      : bytes < 10_240
        ? `${formatNumber(bytes, i18n.language, 0)} B`
        : `${formatNumber(bytes / 1024, i18n.language, 1)} KB`;
  const facts = [
    status === null ? null : `HTTP ${status}`,
    `${formatNumber(ms, i18n.language, 0)} ms`,
    size,
    contentType,
    width !== null && height !== null ? `${width} × ${height}` : null,
  ].filter((one) => one !== null);
  return (
    <div className={styles.layer}>
      {picture ? (
        <img className={styles.picture} src={picture} alt={t('answer.picture')} width={96} height={96} />
      ) : (
        <span className={styles.picture} data-none="">
          <Icon name={problem ? 'warning' : 'check'} size={18} />
        </span>
      )}
      <div>
        {title ? <b className={styles.layerTitle}>{title}</b> : null}
        <p
          className={styles.words}
          data-good={problem === null ? '' : undefined}
          data-bad={problem !== null ? '' : undefined}
        >
          <Icon name={problem ? 'warning' : 'check'} size={14} />
          <span>{problem ? t(`problem.${problem}`) : t(picture ? 'answer.good' : 'answer.shapes')}</span>
        </p>
        <p className={styles.facts}>
          {facts.map((fact) => (
            <span key={fact} className="num">
              {fact}
            </span>
          ))}
        </p>
        {detail && problem !== 'private' ? (
          <p className={styles.detail}>{status === null ? detail : t('answer.said', { text: detail })}</p>
        ) : null}
        <p className={styles.address}>{address ?? t('answer.ownFile')}</p>
      </div>
    </div>
  );
}
