import type { Language } from '../../../../catalogue/languages.ts';
import { dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { Caller } from '../../platform/http/index.ts';
import { sheetType } from '../../platform/sheet/index.ts';
import { countryIn, loadDayFacts, zonesIn } from '../calendar/index.ts';
import { createVersioned, schemeKind, type VersionedParts } from '../versioned/index.ts';
import { calendarFile } from './calendar-file.ts';
import { periodsFile } from './periods-file.ts';
import { schemeTexts } from './texts.ts';

/** Versions of schemes as files of other programs. */
export function createSchemeFiles(parts: VersionedParts) {
  const schemes = createVersioned(schemeKind, parts);

  async function versionOf(caller: Caller, id: number, number: number) {
    const { code, name, workAreaId } = await schemes.get(caller, id);
    const version = await schemes.version(caller, id, number);
    return { ...version, code, name, workAreaId, file: `${code.replaceAll('/', '-')}-v${number}` };
  }

  return {
    async calendar(caller: Caller, id: number, number: number) {
      const { workAreaId, file, ...version } = await versionOf(caller, id, number);
      const from = firstOfMonth(await zonesIn(parts.db, workAreaId), parts.clock.now().getTime());
      const year = Number(from.slice(0, 4));
      const country = (await countryIn(parts.db, workAreaId)) ?? null;
      const facts = await loadDayFacts(parts.db, country, { from: year - 1, to: year + 2 }, [version.content.calendar]);
      const text = await calendarFile(version, from, facts);
      return { name: `${file}.ics`, type: 'text/calendar', content: Buffer.from(text) };
    },

    async periods(caller: Caller, id: number, number: number, language: Language) {
      const { file, content } = await versionOf(caller, id, number);
      return {
        name: `${file} ${schemeTexts[language].title}.xlsx`,
        type: sheetType,
        content: periodsFile(content, language),
      };
    },
  };
}

/** As devices' calendars begin: the same events however often the file is taken in a month. The earliest of the zones. */
function firstOfMonth(zones: readonly string[], now: number): Day {
  const [today = dayOf(now, 'UTC')] = zones.map((zone) => dayOf(now, zone)).toSorted();
  return `${today.slice(0, 7)}-01`;
}
