import type { CustomLayerInterface, CustomRenderMethodInput, GeoJSONSource, Map as MapLibreMap } from 'maplibre-gl';
import type { FeatureCollection } from 'geojson';
import { codeLabels, codesId, codesSource, labelsFromZoom, type Caption } from './close-up-labels.ts';
import { mastFragment, pool, poolFragment, poolVertex } from './close-up-shaders.ts';
import type { MapColours } from './colours.ts';
import { Program } from './gl.ts';
import type { PointGrid } from './grid.ts';
import { localMatrix } from './lamp-gpu.ts';
import { severity, type LampField } from './lamp-field.ts';
import { plainState, rgb } from './lamp-layers.ts';
import { closeness, lampColour, ratedEnergy } from './light.ts';
import { firstLabelLayer } from './base-style.ts';
import { RoadSides } from './road-side.ts';

const poolsId = 'lamp-pools';
/** Floats of one lamp: position, lean, light. */
const floats = 9;
/** No features, as text. */
const noFeatures = '[]';
/** How much of the window around it is prepared too, so that a short pan needs nothing. */
const margin = 0.3;

interface Shown {
  readonly field: LampField;
  readonly grid: PointGrid;
  readonly ground: FeatureCollection;
  readonly colours: MapColours;
}

/**
 * What shows of a lamp from near: its pool of light on the road's side, its mast, its code and level. Only lamps in view
 * are prepared, by the first frame after the view has left what was prepared or lamps changed; all other frames draw
 * them and do nothing else.
 */
export class CloseUp {
  private readonly map: MapLibreMap;
  private readonly stops: (() => void)[];
  private readonly layer: CustomLayerInterface;
  private shown: Shown | null = null;
  private sides: RoadSides | null = null;
  private stopField: (() => void) | null = null;
  private programs: Partial<Record<'pool' | 'mast', Program>> = {};
  private buffer: WebGLBuffer | null = null;
  private vertices: WebGLVertexArrayObject | null = null;
  private columns = new Float32Array(0);
  private count = 0;
  /** What is prepared is of other lamps, captions or another view: the next frame prepares anew. */
  private isOutdated = false;
  /** The graphics card has something else than what is prepared. */
  private isOld = true;
  private prepared: readonly [left: number, top: number, right: number, bottom: number] | null = null;
  /** The features that the source of the codes has, as text. */
  private labels = noFeatures;
  private captionOf: ((index: number) => Caption) | null = null;
  private focusId: number | null = null;
  paused = false;

  constructor(map: MapLibreMap) {
    this.map = map;
    this.layer = {
      id: poolsId,
      type: 'custom',
      renderingMode: '2d',
      onAdd: (_map, gl) => this.build(gl),
      onRemove: (_map, gl) => this.tearDown(gl),
      prerender: () => this.gather(),
      render: (gl, input) => this.draw(gl, input),
    };
    const moved = [map.on('move', () => this.follow()), map.on('moveend', () => this.outdate())];
    this.stops = moved.map((stop) => () => stop.unsubscribe());
  }

  /** Adds its layers: after the style or the lamps became others. */
  show(shown: Shown): void {
    const { map } = this;
    if (this.shown?.field !== shown.field || this.shown.grid !== shown.grid || this.shown.ground !== shown.ground)
      this.sides = new RoadSides(shown.ground, shown.field.place, shown.grid);
    this.shown = shown;
    this.stopField?.();
    // The lamps' own layers ask for a frame after changes (Redraw): both take them over in the same one.
    this.stopField = shown.field.subscribe(() => {
      this.isOutdated = true;
    });
    if (map.getLayer(poolsId)) map.removeLayer(poolsId);
    map.addLayer(this.layer, firstLabelLayer);
    if (!map.getSource(codesSource)) {
      map.addSource(codesSource, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
      map.addLayer(codeLabels(shown.colours));
      this.labels = noFeatures;
    } else {
      // Above the shapes, which were just added anew.
      map.moveLayer(codesId);
    }
    this.outdate();
  }

  /** What is written beside lamps; null: nothing. The lamp in focus has its own name. */
  write(captionOf: ((index: number) => Caption) | null, focusId: number | null): void {
    this.captionOf = captionOf;
    this.focusId = focusId;
    this.outdate();
  }

  dispose(): void {
    this.stopField?.();
    this.stops.forEach((stop) => stop());
  }

  /** Filters of new lamps are laid over them before the frame comes: what they hide never shows. */
  private outdate(): void {
    this.isOutdated = true;
    // A map that is resized moves before its style is there, and with it what is shown.
    if (this.shown) this.map.triggerRepaint();
  }

  private gather(): void {
    if (!this.isOutdated || this.paused) return;
    this.isOutdated = false;
    this.prepare();
  }

  private follow(): void {
    const { prepared, shown } = this;
    if (!shown) return;
    if (closeness(this.map.getZoom()) === 0 && prepared === null) return;
    const [left, top, right, bottom] = this.window(shown, 0);
    if (!prepared || left < prepared[0] || top < prepared[1] || right > prepared[2] || bottom > prepared[3])
      this.outdate();
  }

  /** The window in local units, larger by `share` of its size at each edge. */
  private window(
    { field: { place } }: Shown,
    share: number,
  ): [left: number, top: number, right: number, bottom: number] {
    const bounds = this.map.getBounds();
    const [left, top] = place.toLocal(bounds.getWest(), bounds.getNorth());
    const [right, bottom] = place.toLocal(bounds.getEast(), bounds.getSouth());
    const [x, y] = [(right - left) * share, (bottom - top) * share];
    return [left - x, top - y, right + x, bottom + y];
  }

  private prepare(): void {
    const { shown, sides, map } = this;
    if (!shown || !sides) return;
    if (closeness(map.getZoom()) === 0) {
      this.prepared = null;
      this.count = 0;
      this.label([]);
      return;
    }
    const { field, grid } = shown;
    this.prepared = this.window(shown, margin);
    const lamps = grid.inside(...this.prepared).filter((index) => field.visible[index] === 1);
    if (this.columns.length < lamps.length * floats) this.columns = new Float32Array(lamps.length * floats * 2);
    lamps.forEach((index, place) => this.columns.set(columnsOf(field, sides, index), place * floats));
    this.count = lamps.length;
    this.isOld = true;
    this.label(map.getZoom() >= labelsFromZoom - 0.3 ? lamps : []);
  }

  private label(lamps: readonly number[]): void {
    const { shown, captionOf, map } = this;
    const source = map.getSource<GeoJSONSource>(codesSource);
    if (!shown || !source) return;
    const { field } = shown;
    const features = captionOf
      ? lamps
          .filter((index) => field.ids[index] !== this.focusId)
          .map((index) => ({
            type: 'Feature' as const,
            properties: { ...captionOf(index), rank: -(severity[field.states[index]!] ?? 0) },
            geometry: { type: 'Point' as const, coordinates: field.lngLat(index) },
          }))
      : [];
    const text = JSON.stringify(features);
    if (text === this.labels) return;
    this.labels = text;
    void source.setData({ type: 'FeatureCollection', features });
  }

  private build(gl: WebGL2RenderingContext): void {
    this.programs = {
      pool: new Program(gl, poolVertex, poolFragment),
      mast: new Program(gl, poolVertex, mastFragment),
    };
    this.buffer = gl.createBuffer();
    this.vertices = gl.createVertexArray();
    gl.bindVertexArray(this.vertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    [
      [2, 0],
      [3, 2],
      [4, 5],
    ].forEach(([size, before], place) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size!, gl.FLOAT, false, floats * 4, before! * 4);
      gl.vertexAttribDivisor(place, 1);
    });
    gl.bindVertexArray(null);
    this.isOld = true;
  }

  private tearDown(gl: WebGL2RenderingContext): void {
    for (const program of Object.values(this.programs)) program.delete();
    gl.deleteBuffer(this.buffer);
    gl.deleteVertexArray(this.vertices);
    [this.buffer, this.vertices, this.programs] = [null, null, {}];
  }

  private draw(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const {
      shown,
      map,
      count,
      programs: { pool: pools, mast },
    } = this;
    const zoom = map.getZoom();
    const near = closeness(zoom);
    if (!shown || !pools || !mast || count === 0 || near === 0) return;
    const { colours, field } = shown;
    plainState(gl);
    gl.bindVertexArray(this.vertices);
    if (this.isOld) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, this.columns.subarray(0, count * floats), gl.DYNAMIC_DRAW);
      this.isOld = false;
    }
    const metre = this.sides?.metre ?? 1;
    const pixel = 2 ** (20 - zoom) / metre;
    const arm = Math.max(2.2, pixel * (colours.night ? 5 : 11));
    const matrix = localMatrix(input.defaultProjectionData.mainMatrix as ArrayLike<number>, field);
    const use = (program: Program): Program => {
      program.use().numbers({ u_metre: metre, u_arm: arm });
      gl.uniform3f(program.at('u_pool'), pool.along, pool.across, pool.offset);
      gl.uniformMatrix4fv(program.at('u_matrix'), false, matrix);
      return program;
    };
    const instances = (): void => gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    if (colours.night) {
      use(pools).numbers({ u_gain: 2.4 * near, u_head: 0 });
      // What lies in the pool is lit by it: walls and kerbs show.
      gl.blendFunc(gl.DST_COLOR, gl.ONE);
      instances();
      pools.numbers({ u_gain: 0.32 * near, u_head: 2.2 * near });
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_COLOR);
      instances();
    }
    const standing = Math.max(0, Math.min(1, (zoom - 16.4) / 0.6));
    if (standing > 0) {
      use(mast).numbers({ u_pixel: pixel, u_alpha: standing, u_lit: colours.night ? 1 : 0 });
      gl.uniform3fv(mast.at('u_metal'), rgb(colours.night ? colours.unlit : colours.states.off));
      gl.uniform3fv(mast.at('u_rim'), rgb(colours.ground));
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      instances();
    }
    gl.bindVertexArray(null);
  }
}

/** Position, lean and light of a lamp; energy of what is dark is negative, as large as its rating. */
function columnsOf(field: LampField, sides: RoadSides, index: number): number[] {
  const [x, y] = [field.positions[index * 2]!, field.positions[index * 2 + 1]!];
  const lean = sides.of(index, x, y);
  const rated = ratedEnergy(field.ratedWatts[index]!);
  const level = field.levels[index]!;
  return [x, y, lean.x, lean.y, lean.side, ...lampColour(field.cct[index]!), level > 0 ? rated * level * 0.01 : -rated];
}
