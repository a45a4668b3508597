import { useTranslation } from 'react-i18next';
import type { SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import type { getScheme } from '../../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Alert, formatList, formatPercent } from '../../../parts/index.ts';

type Finding = ReplyOf<typeof getScheme>['findings'][number];

/** What would keep a version from roads of a class: periods below its floor. */
export function Findings({ findings, content }: { findings: readonly Finding[]; content: SchemeContent }) {
  const { t, i18n } = useTranslation('scheme');
  const names = useNames();
  if (findings.length === 0) return null;
  // A period may be below the floor of several classes: one line says them all.
  const lines = Map.groupBy(findings, ({ programme, period }) => `${programme} ${period}`);
  return (
    <Alert kind="note" title={t('findings.title', { n: lines.size })}>
      <ul style={{ margin: '4px 0 0', paddingLeft: 18 }}>
        {[...lines].map(([key, [first, ...more]]) =>
          first === undefined ? null : (
            <li key={key}>
              {t('findings.belowFloor', {
                programme: content.programmes.find((one) => one.key === first.programme)?.name ?? first.programme,
                period: first.period + 1,
                level: formatPercent(first.level, i18n.language),
                floors: formatList(
                  [first, ...more].map(({ roadClass, floor }) =>
                    t('findings.floor', {
                      road: names.option('roadClass', roadClass),
                      floor: formatPercent(floor, i18n.language),
                    }),
                  ),
                  i18n.language,
                ),
              })}
            </li>
          ),
        )}
      </ul>
    </Alert>
  );
}
