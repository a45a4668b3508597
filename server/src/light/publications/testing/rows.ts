import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { givenDevice } from '../../../testing/devices.ts';

let roads = 700;

/** A road of this class with a row of poles, a lamp on each; the lamps in order. */
export async function givenRow(db: Db, count: number, roadClass: string): Promise<number[]> {
  const roadId = (roads += 1);
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
    VALUES (${roadId}, 1, ${`R${roadId}`}, '路', ${roadClass})`.execute(db);
  const lamps: number[] = [];
  for (let position = 0; position < count; position += 1) {
    const pole = await givenDevice(db, { family: 'lamp-pole', roadId });
    await sql`INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source)
      VALUES (${pole}, ${roadId}, 'none', ${position}, ${count}, 'hand')`.execute(db);
    const lamp = await givenDevice(db, { roadId });
    await sql`UPDATE device SET pole_id = ${pole} WHERE id = ${lamp}`.execute(db);
    lamps.push(lamp);
  }
  return lamps;
}

let loops = 0;

/** These lamps are fed by a loop that is switched on so by plan. */
export async function givenLoop(db: Db, lamps: readonly number[], lighting: string): Promise<void> {
  const box = await givenDevice(db, { family: 'control-box' });
  loops += 1;
  const { id } = await db
    .insertInto('loop')
    .values({ control_box_id: box, work_area_id: 1, loop_code: `H-${loops}`, loop_name: '半夜灯', lighting })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`UPDATE device SET loop_id = ${id} WHERE id = ANY(${[...lamps]}::bigint[])`.execute(db);
}
