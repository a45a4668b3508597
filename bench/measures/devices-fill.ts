import type pg from 'pg';

export const devices = 1_000_000;
const roads = 500;
/** One of the roads the poles stand on. */
export const roadOf = (number: number): number => 90_001 + (number % roads);

/**
 * Poles of one area with every field that lists sort or filter by, many of them empty; the indexes are made afterwards,
 * which is quicker.
 */
export async function fillPoles(database: pg.Client): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'device' AND indexname <> 'device_pkey'`,
  );
  await database.query(`INSERT INTO work_area (id, work_code, work_name) VALUES (900, 'BENCH', 'bench')
    ON CONFLICT DO NOTHING;
    INSERT INTO road (id, work_area_id, road_code, road_name) SELECT 90000 + i, 900, 'BR' || i, 'Bench road ' || i
      FROM generate_series(1, ${roads}) i;
    INSERT INTO equipment_group (id, work_area_id, group_code, group_name, family)
      SELECT 90000 + i, 900, 'BG' || i, 'Bench group ' || i, 'lamp-pole' FROM generate_series(0, 9) i;
    INSERT INTO channel (id, work_area_id, channel_code, channel_name, protocol)
      SELECT 90000 + i, 900, 'BC' || i, 'Bench channel ' || i, 'other' FROM generate_series(0, 9) i;
    ${indexes.map(({ name }) => `DROP INDEX ${name};`).join('')}`);
  await database.query(`INSERT INTO device (family, work_area_id, equipment_code, equipment_name, road_id, group_id,
    channel_id, longitude, latitude, enabled, rated_watts, props, search_words)
    SELECT 'lamp-pole', 900, 'BP-' || i, 'Bench pole ' || i, CASE WHEN i % 50 > 0 THEN 90001 + i % ${roads} END,
      CASE WHEN i % 3 = 0 THEN 90000 + i % 10 END, CASE WHEN i % 7 = 0 THEN 90000 + i % 10 END,
      120 + i % 1000 * 0.0001, 30 + i / 1000 * 0.0001, i % 41 > 0, CASE WHEN i % 3 > 0 THEN i % 400 END,
      jsonb_strip_nulls(jsonb_build_object('equipmentTypeId', 'equipment_type_' || 13 + i % 2, 'material',
        CASE WHEN i % 97 = 0 THEN 'composite' ELSE 'steel' END,
        'lamppostTypeId', CASE WHEN i % 4 > 0 THEN (ARRAY['single_arm', 'double_arm', 'high_mast'])[1 + i % 3] END,
          'lampLocation', CASE WHEN i % 20 = 0 THEN 'median' END, 'ifIntersection', i % 60 = 0,
        'roadside', (ARRAY['left', 'right'])[1 + i % 2], 'manufacturer',
          CASE WHEN i % 2 = 0 THEN 'Maker ' || i % 37 END, 'model', 'M' || i % 211, 'lampNum', i % 4, 'lampPostNumber',
          'L' || i,
        'equipmentNum', CASE WHEN i % 5 > 0 THEN 'N' || i::bigint * 7919 % 1000003 END, 'installTime',
          CASE WHEN i % 4 > 0 THEN (date '2001-01-01' + i % 8000)::text END,
        'warrantyUntil', CASE WHEN i % 8 = 0 THEN (date '2024-01-01' + i % 2000)::text END)), ''
    FROM generate_series(1, ${devices}) i`);
  await database.query(`SET maintenance_work_mem = '256MB'`);
  await database.query(indexes.map(({ definition }) => `${definition};`).join(''));
  for (const table of ['device', 'road', 'channel', 'equipment_group']) await database.query(`VACUUM ANALYZE ${table}`);
}
