import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Calendar } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { mostHolidayBytes } from '../../../../../contract/light/calendar.ts';
import { formatList, Alert, toast } from '../../../parts/index.ts';
import type { Preview } from './CalendarTab.tsx';
import { HolidayImport } from './HolidayImport.tsx';

interface Props {
  preview: Preview;
  calendar: Calendar;
  readOnly: boolean;
  onImported: () => unknown;
}

const accepted = '.ics,.json,.csv,.xlsx';

/** Years whose holidays are not known: rules about holidays are silent in them until a file is imported. */
export function HolidayBanner({ preview, calendar, readOnly, onImported }: Props) {
  const { t, i18n } = useTranslation('scheme');
  const input = useRef<HTMLInputElement>(null);
  const [year, setYear] = useState<number | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const { country, years, unknown } = preview;
  const asking = calendar.rules.flatMap(({ label, enabled, when }, index) =>
    enabled && when.some(({ kind }) => kind === 'holiday') ? [label.trim() === '' ? String(index + 1) : label] : [],
  );
  const asksHolidays = asking.length > 0;
  const missing = years.filter(({ state }) => state === 'unknown').map((one) => one.year);
  const estimated = years.filter(({ state }) => state === 'estimated').map((one) => one.year);
  const silent = unknown.filter(({ kind }) => kind !== 'holiday');
  const rules = (of: Preview['unknown']): string =>
    formatList(
      of.map(({ rule }) => calendar.rules[rule]?.label ?? String(rule + 1)),
      i18n.language,
    );
  return (
    <>
      {asksHolidays && missing.length > 0 ? (
        <Alert
          kind="note"
          title={t('holidays.unknown', { years: formatList(missing.map(String), i18n.language) })}
          action={
            country === null || readOnly
              ? null
              : missing.map((one) => (
                  <Button
                    key={one}
                    size="small"
                    onClick={() => {
                      setYear(one);
                      input.current?.click();
                    }}
                  >
                    {t('holidays.import', { year: one })}
                  </Button>
                ))
          }
        >
          {country === null
            ? t('holidays.noCountry')
            : t('holidays.silent', { rules: formatList(asking, i18n.language) })}
        </Alert>
      ) : asksHolidays && country === null ? (
        <Alert kind="note" title={t('holidays.noCountry')} />
      ) : null}
      {asksHolidays && estimated.length > 0 ? (
        <Alert
          kind="note"
          title={t('holidays.estimated', { years: formatList(estimated.map(String), i18n.language) })}
        />
      ) : null}
      {silent.length === 0 ? null : <Alert kind="note" title={t('holidays.beyond', { rules: rules(silent) })} />}
      <input
        ref={input}
        type="file"
        hidden
        accept={accepted}
        aria-label={t('holidays.file')}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          event.target.value = '';
          if (!chosen) return;
          if (chosen.size > mostHolidayBytes) toast.failed(t('holidays.tooLarge'));
          else setFile(chosen);
        }}
      />
      {country === null || year === null || file === null ? null : (
        <HolidayImport {...{ country, year, file, onImported }} onClose={() => setFile(null)} />
      )}
    </>
  );
}
