import { expect, it } from 'vitest';
import { WaitingRoom } from './waiting-room.ts';

it('gives a place to everybody, at the cost of the oldest of the address that has most', () => {
  const ended: string[] = [];
  const room = new WaitingRoom<string>({ ofAddress: 3, all: 5 }, (one) => ended.push(one));
  for (const one of ['a1', 'a2', 'a3', 'b1', 'c1']) room.enter(one, one.slice(0, 1));
  room.enter('d1', 'd');
  expect([ended, room.size]).toEqual([['a1'], 5]);
  room.enter('a4', 'a');
  room.enter('a5', 'a');
  expect(ended).toEqual(['a1', 'a2', 'a3']);
  room.leave('a4', 'a');
  room.leave('a4', 'a');
  room.leave('nobody', 'x');
  expect(room.size).toBe(4);
});
