import { describe, expect, it } from 'vitest';
import { carriesOthers, isLamp, lampFamilies, namedBy, speaksForOthers } from './capabilities.ts';
import { lampFamily } from './lighting/families.ts';

describe('what families can', () => {
  it('is read from the references that lead to them', () => {
    expect(namedBy('pole_id')).toEqual(['lamp-pole']);
    expect(namedBy('gateway_id')).toEqual(['gateway']);
    expect(namedBy('box_id')).toEqual(['control-box']);
    expect(namedBy('loop_id'), 'a loop is a record').toEqual([]);
    expect([...speaksForOthers]).toEqual(['central-controller']);
    expect(carriesOthers('lamp-pole')).toBe(true);
    expect(carriesOthers('gateway')).toBe(false);
    expect(carriesOthers(null)).toBe(false);
  });

  it('names one family of lamps, the one that light is planned and counted for', () => {
    expect(lampFamilies).toEqual([lampFamily]);
    expect(isLamp(lampFamily)).toBe(true);
    expect(isLamp('solar-controller')).toBe(false);
    expect(isLamp(null)).toBe(false);
  });
});
