import type { CustomLayerInterface, CustomRenderMethodInput, Map as MapLibreMap } from 'maplibre-gl';
import { lampStates } from '../../../../contract/light/lamps.ts';
import { drawAtlas } from './atlas.ts';
import { shapesFromZoom } from './clusters.ts';
import type { MapColours } from './colours.ts';
import { Program } from './gl.ts';
import { Halo, type HaloView } from './halo.ts';
import { severity, type LampField } from './lamp-field.ts';
import { LampGpu, localMatrix } from './lamp-gpu.ts';
import { closeness, zoomLight } from './light.ts';
import { mercator } from './mercator.ts';
import { Redraw } from './redraw.ts';
import { coreFragment, coreVertex, dotFragment, dotVertex, shapeFragment, shapeVertex } from './shaders.ts';

export const lightLayerId = 'lamp-light';
export const shapeLayerId = 'lamp-shapes';
/** How far the sharp sprite reaches, CSS pixels at the drawn zoom. */
const coreReach = 3.6;

/**
 * What a map draws over its ground: one layer below the names, one above. Added again after `setStyle` and after a lost
 * context.
 */
export interface MapLayers {
  readonly light: CustomLayerInterface;
  readonly shapes: CustomLayerInterface;
  readonly redraw: Redraw;
}

/**
 * The two WebGL layers of the lamps: their light below the labels, their shapes above. They share one buffer. Both must
 * be added again after `setStyle` and after a lost context; `onAdd` then builds everything anew.
 */
export class LampLayers implements MapLayers {
  readonly light: CustomLayerInterface;
  readonly shapes: CustomLayerInterface;
  readonly redraw: Redraw;
  private gpu: LampGpu | null = null;
  private halo: Halo | null = null;
  private programs: Partial<Record<'core' | 'dot' | 'shape', Program>> = {};
  private atlas: WebGLTexture | null = null;
  private readonly field: LampField;
  private readonly colours: MapColours;

  constructor(field: LampField, colours: MapColours) {
    this.field = field;
    this.colours = colours;
    this.light = {
      id: lightLayerId,
      type: 'custom',
      renderingMode: '2d',
      onAdd: (map, gl) => this.build(map, gl),
      onRemove: (_map, gl) => this.tearDown(gl),
      prerender: (gl, input) => this.gather(gl, input),
      render: (gl, input) => (colours.night ? this.drawLight(gl, input) : this.drawDots(gl, input)),
    };
    this.shapes = {
      id: shapeLayerId,
      type: 'custom',
      renderingMode: '2d',
      render: (gl, input) => this.drawShapes(gl, input),
    };
    this.redraw = new Redraw(field);
  }

  private build(map: MapLibreMap, gl: WebGL2RenderingContext): void {
    this.redraw.map = map;
    this.gpu = new LampGpu(gl, this.field);
    if (this.colours.night) {
      this.halo = new Halo(gl);
      this.programs.core = new Program(gl, coreVertex, coreFragment);
    } else {
      this.programs.dot = new Program(gl, dotVertex, dotFragment);
    }
    this.programs.shape = new Program(gl, shapeVertex, shapeFragment);
    this.atlas = uploadAtlas(gl, drawAtlas(this.colours));
  }

  private tearDown(gl: WebGL2RenderingContext): void {
    this.gpu?.delete();
    this.halo?.delete();
    for (const program of Object.values(this.programs)) program.delete();
    if (this.atlas) gl.deleteTexture(this.atlas);
    this.atlas = null;
    this.programs = {};
    this.gpu = null;
    this.halo = null;
    this.redraw.map = null;
  }

  private gather(_gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const {
      gpu,
      halo,
      redraw: { map },
    } = this;
    if (!map || !gpu || !halo) return;
    const changed = gpu.update();
    const view = haloView(map);
    if (changed || !halo.serves(view)) halo.gather(gpu, this.matrix(input), view);
  }

  private drawLight(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const {
      gpu,
      halo,
      redraw: { map },
    } = this;
    const core = this.programs.core;
    if (!map || !gpu || !halo || !core) return;
    const { spread, sharpGain } = zoomLight(map.getZoom());
    plainState(gl);
    halo.layOver(haloView(map));
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_COLOR);
    core.use().numbers({
      u_reach: coreReach,
      u_size: 2 * coreReach * spread * map.getPixelRatio(),
      // From near the lamp's head glows beside its foot (see CloseUp).
      u_gain: sharpGain * exposure * (1 - 0.9 * closeness(map.getZoom() - 0.6)),
      u_ghost: 0.35,
    });
    gl.uniformMatrix4fv(core.at('u_matrix'), false, this.matrix(input));
    gpu.draw();
  }

  private drawDots(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const {
      gpu,
      redraw: { map },
    } = this;
    const dot = this.programs.dot;
    if (!map || !gpu || !dot) return;
    gpu.update();
    const zoom = map.getZoom();
    if (zoom >= dayShapesFromZoom + 0.3) return;
    plainState(gl);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    dot.use().numbers({ u_size: Math.max(2.4, Math.min(6, 3 + (zoom - 12) * 1.4)) * map.getPixelRatio() });
    gl.uniform3fv(
      dot.at('u_colours'),
      lampStates.flatMap((state) => rgb(this.colours.states[state])),
    );
    gl.uniformMatrix4fv(dot.at('u_matrix'), false, this.matrix(input));
    gpu.draw();
  }

  private drawShapes(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const {
      gpu,
      atlas,
      redraw: { map },
    } = this;
    const shape = this.programs.shape;
    if (!map || !gpu || !atlas || !shape) return;
    const zoom = map.getZoom();
    const near = zoom >= shapesFromZoom;
    const { night } = this.colours;
    if (night && !near && this.field.selectedCount === 0) return;
    plainState(gl);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const size = shapeSize(zoom);
    // From afar what is offline or at rest is smaller than an alarm.
    shape
      .use()
      .texture('u_atlas', 0, atlas)
      .numbers({ u_least: near ? 1 : 0.8 });
    gl.uniform1fv(shape.at('u_worst'), worst);
    gl.uniformMatrix4fv(shape.at('u_matrix'), false, this.matrix(input));
    const passes = [
      ...(!night && zoom >= dayShapesFromZoom ? [0] : []),
      ...(near || !night ? [1] : []),
      ...(this.field.selectedCount > 0 ? [2] : []),
    ];
    for (const pass of passes) {
      // From afar rings of neighbours would cover the road: there they are only as large as a lamp's light.
      const ring = near ? size : Math.max(4, size - (shapesFromZoom - zoom) * 7);
      shape.numbers({ u_pass: pass, u_size: (pass === 2 ? ring : size) * map.getPixelRatio() });
      if (pass === 1) gpu.drawBad();
      else gpu.draw();
    }
  }

  private matrix(input: CustomRenderMethodInput): Float32Array {
    return localMatrix(input.defaultProjectionData.mainMatrix as ArrayLike<number>, this.field);
  }
}

/** By day a lamp that is well has its shape from this zoom on, and is a dot before. */
const dayShapesFromZoom = 13.3;
/** Side of a shape's picture, CSS pixels; the shape is 0.6 of it. */
const shapeSize = (zoom: number): number =>
  zoom < shapesFromZoom
    ? Math.max(9, 12 - (shapesFromZoom - zoom) * 2)
    : Math.min(16, 12 + (zoom - shapesFromZoom) * 1.6);

/** How bright the whole picture is; more than this turns the dark ground brown. */
const exposure = 1.9;
const worst = Float32Array.from({ length: 8 }, (_, state) => severity[state] ?? 0);

function haloView(map: MapLibreMap): HaloView {
  const { lng, lat } = map.getCenter();
  const [x, y] = mercator(lng, lat);
  const { clientWidth, clientHeight } = map.getCanvas();
  const zoom = map.getZoom();
  const { spread, wideGain } = zoomLight(zoom);
  return {
    x,
    y,
    zoom,
    width: clientWidth,
    height: clientHeight,
    spread,
    gain: wideGain * exposure * (1 - 0.5 * closeness(zoom)),
  };
}

/** Plain drawing over what is there; how it blends is the caller's. */
export function plainState(gl: WebGL2RenderingContext): void {
  gl.disable(gl.DEPTH_TEST);
  gl.disable(gl.STENCIL_TEST);
  gl.enable(gl.BLEND);
  gl.blendEquation(gl.FUNC_ADD);
}

/** A picture as a texture with smaller versions of itself. */
export function uploadAtlas(gl: WebGL2RenderingContext, picture: HTMLCanvasElement): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

/** `#d98a14` → three amounts in 0…1. */
export function rgb(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
