/** Countries whose holidays a site can know, each with the time zone that says where a work area lies. */
const zones = {
  CN: 'Asia/Shanghai',
  TW: 'Asia/Taipei',
  JP: 'Asia/Tokyo',
  KR: 'Asia/Seoul',
  FR: 'Europe/Paris',
} as const;
export type HolidayCountry = keyof typeof zones;
export const holidayCountries: readonly HolidayCountry[] = ['CN', 'TW', 'JP', 'KR', 'FR'];

/** The country of a work area by its time zone; null: its holidays are not known. */
export const countryOf = (timeZone: string): HolidayCountry | null =>
  holidayCountries.find((country) => zones[country] === timeZone) ?? null;
