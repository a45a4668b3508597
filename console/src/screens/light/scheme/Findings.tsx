import { useTranslation } from 'react-i18next';
import type { SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import type { getScheme } from '../../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Alert, formatPercent } from '../../../parts/index.ts';

type Finding = ReplyOf<typeof getScheme>['findings'][number];

/** What would keep a version from roads of a class: periods below its floor. */
export function Findings({ findings, content }: { findings: readonly Finding[]; content: SchemeContent }) {
  const { t, i18n } = useTranslation('scheme');
  const names = useNames();
  if (findings.length === 0) return null;
  return (
    <Alert kind="note" title={t('findings.title', { n: findings.length })}>
      <ul style={{ margin: '4px 0 0', paddingLeft: 18 }}>
        {findings.map((finding) => (
          <li key={`${finding.roadClass}-${finding.programme}-${finding.period}`}>
            {t('findings.belowFloor', {
              programme: content.programmes.find(({ key }) => key === finding.programme)?.name ?? finding.programme,
              period: finding.period + 1,
              level: formatPercent(finding.level, i18n.language),
              road: names.option('roadClass', finding.roadClass),
              floor: formatPercent(finding.floor, i18n.language),
            })}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
