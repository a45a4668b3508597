import type { CustomLayerInterface, CustomRenderMethodInput, Map as MapLibreMap } from 'maplibre-gl';
import { mapStates } from '../../../../contract/device-map.ts';
import { shapesFromZoom } from './clusters.ts';
import type { MapColours } from './colours.ts';
import { cells, cellsInRow, colourOfState, drawDeviceAtlas } from './device-atlas.ts';
import type { DeviceField } from './device-field.ts';
import { markVertex, pictureFragment, pictureVertex } from './device-shaders.ts';
import { DotPicture } from './dot-picture.ts';
import { Program } from './gl.ts';
import { localMatrix } from './lamp-gpu.ts';
import { severity } from './lamp-field.ts';
import { lightLayerId, plainState, rgb, shapeLayerId, uploadAtlas, type MapLayers } from './lamp-layers.ts';
import { marksOf } from './marks.ts';
import { Redraw } from './redraw.ts';
import { dotFragment } from './shaders.ts';

/** From this zoom on a family has its picture. */
export const picturesFromZoom = 16;
/** To this zoom on there are dots below the pictures. */
const dotsToZoom = shapesFromZoom + 0.5;
const bad = Float32Array.from(mapStates, (_, index) => severity[index] ?? 0);
const first = [cells.states, cells.ring, cells.numbers, cells.families] as const;

/**
 * The two WebGL layers of devices of all families: a dot a place below the names, its pictures above. What stands at
 * one place is one mark, so that a city of poles with all that hangs on them costs as much as its poles.
 */
export class DeviceLayers implements MapLayers {
  readonly light: CustomLayerInterface;
  readonly shapes: CustomLayerInterface;
  readonly redraw: Redraw;
  private readonly field: DeviceField;
  private readonly colours: MapColours;
  private buffer: WebGLBuffer | null = null;
  private vertices: WebGLVertexArrayObject | null = null;
  private programs: Partial<Record<'dot' | 'picture', Program>> = {};
  private dots: DotPicture | null = null;
  private atlas: { texture: WebGLTexture; rows: number } | null = null;
  private count = 0;
  /** How many marks are well: the first ones. */
  private well = 0;
  private isOld = true;
  /** The picture of the dots is behind the marks. */
  private areDotsOld = true;

  constructor(field: DeviceField, colours: MapColours) {
    this.field = field;
    this.colours = colours;
    this.light = {
      id: lightLayerId,
      type: 'custom',
      renderingMode: '2d',
      onAdd: (map, gl) => this.build(map, gl),
      onRemove: (_map, gl) => this.tearDown(gl),
      prerender: (gl, input) => this.pictureDots(gl, input),
      render: (gl) => this.layDots(gl),
    };
    this.shapes = {
      id: shapeLayerId,
      type: 'custom',
      renderingMode: '2d',
      render: (gl, input) => this.drawPictures(gl, input),
    };
    this.redraw = new Redraw(field, () => {
      this.isOld = true;
    });
  }

  private build(map: MapLibreMap, gl: WebGL2RenderingContext): void {
    this.redraw.map = map;
    this.buffer = gl.createBuffer();
    this.vertices = gl.createVertexArray();
    this.programs = {
      dot: new Program(gl, markVertex, dotFragment),
      picture: new Program(gl, pictureVertex, pictureFragment),
    };
    const picture = drawDeviceAtlas(this.colours, this.field.familyKeys);
    this.atlas = { texture: uploadAtlas(gl, picture), rows: picture.height / (picture.width / cellsInRow) };
    this.dots = new DotPicture(gl);
    this.isOld = true;
  }

  private tearDown(gl: WebGL2RenderingContext): void {
    gl.deleteBuffer(this.buffer);
    gl.deleteVertexArray(this.vertices);
    this.dots?.delete();
    this.dots = null;
    for (const program of Object.values(this.programs)) program.delete();
    if (this.atlas) gl.deleteTexture(this.atlas.texture);
    [this.buffer, this.vertices, this.atlas, this.redraw.map] = [null, null, null, null];
    this.programs = {};
  }

  /** Takes over what changed since it was drawn last; false when nothing did. */
  private update(gl: WebGL2RenderingContext): boolean {
    if (!this.isOld || !this.vertices) return false;
    this.isOld = false;
    const { count, well, positions, looks, kinds } = marksOf(this.field);
    this.count = count;
    this.well = well;
    gl.bindVertexArray(this.vertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, Math.max(1, count) * 16, gl.DYNAMIC_DRAW);
    [positions, looks, kinds].reduce((at, column) => {
      gl.bufferSubData(gl.ARRAY_BUFFER, at, column);
      return at + column.byteLength;
    }, 0);
    [
      [2, 0],
      [1, 8],
      [1, 12],
    ].forEach(([size, before], place) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size!, gl.FLOAT, false, 0, before! * count);
    });
    gl.bindVertexArray(null);
    return true;
  }

  private draw(gl: WebGL2RenderingContext, from = 0): void {
    if (this.count <= from) return;
    gl.bindVertexArray(this.vertices);
    gl.drawArrays(gl.POINTS, from, this.count - from);
    gl.bindVertexArray(null);
  }

  private pictureDots(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const {
      dots,
      redraw: { map },
    } = this;
    if (!map) return;
    this.areDotsOld = this.update(gl) || this.areDotsOld;
    if (map.getZoom() >= dotsToZoom) return;
    dots?.make(map, this.areDotsOld, (shrink) => this.drawDots(gl, input, map.getZoom(), shrink));
    this.areDotsOld = false;
  }

  private layDots(gl: WebGL2RenderingContext): void {
    const {
      dots,
      redraw: { map },
    } = this;
    if (!map || !dots || map.getZoom() >= dotsToZoom) return;
    plainState(gl);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    dots.layOver(map);
  }

  private drawDots(gl: WebGL2RenderingContext, input: CustomRenderMethodInput, zoom: number, shrink: number): void {
    const {
      atlas,
      programs: { dot, picture },
      redraw: { map },
    } = this;
    if (!map || !dot || !picture || !atlas) return;
    dot
      .use()
      .numbers({ u_shrink: shrink, u_size: Math.max(2.2, Math.min(6, 2.8 + (zoom - 12) * 1.3)) * map.getPixelRatio() });
    gl.uniform3fv(
      dot.at('u_colours'),
      mapStates.flatMap((state) => rgb(colourOfState(this.colours, state))),
    );
    gl.uniform1fv(dot.at('u_bad'), bad);
    gl.uniformMatrix4fv(dot.at('u_matrix'), false, this.matrix(input));
    this.draw(gl);
    this.usePictures(gl, input, picture, atlas, shrink);
    gl.uniform1i(picture.at('u_what'), 0);
    gl.uniform2f(picture.at('u_offset'), 0, 0);
    picture.numbers({ u_size: Math.max(11, 14 - (shapesFromZoom - zoom) * 1.5) * map.getPixelRatio() });
    this.draw(gl, this.well);
  }

  private usePictures(
    gl: WebGL2RenderingContext,
    input: CustomRenderMethodInput,
    picture: Program,
    atlas: { texture: WebGLTexture; rows: number },
    shrink: number,
  ): void {
    picture.use().texture('u_atlas', 0, atlas.texture).numbers({ u_shrink: shrink });
    gl.uniform4f(picture.at('u_first'), ...first);
    gl.uniform2f(picture.at('u_grid'), cellsInRow, atlas.rows);
    gl.uniformMatrix4fv(picture.at('u_matrix'), false, this.matrix(input));
  }

  private drawPictures(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const {
      atlas,
      programs: { picture },
      redraw: { map },
    } = this;
    if (!map || !atlas || !picture) return;
    const zoom = map.getZoom();
    const near = zoom >= shapesFromZoom;
    if (!near && this.field.selectedCount === 0) return;
    plainState(gl);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.usePictures(gl, input, picture, atlas, 1);
    const shape = 12 + Math.max(0, zoom - shapesFromZoom) * 2;
    const { clientWidth, clientHeight } = map.getCanvas();
    const pass = (what: number, size: number, right = 0, up = 0, from = 0): void => {
      gl.uniform1i(picture.at('u_what'), what);
      gl.uniform2f(picture.at('u_offset'), (2 * right) / clientWidth, (2 * up) / clientHeight);
      picture.numbers({ u_size: size * map.getPixelRatio() });
      this.draw(gl, from);
    };
    if (zoom >= picturesFromZoom) {
      pass(1, 26);
      pass(4, 15, 9, -9);
      pass(2, 15, 10, 10);
    } else if (near) {
      pass(0, shape);
      // What is not well is larger, and on top.
      pass(0, shape * 1.3, 0, 0, this.well);
    }
    if (this.field.selectedCount > 0)
      pass(3, zoom >= picturesFromZoom ? 40 : near ? shape * 1.35 : Math.max(6, 16 - (shapesFromZoom - zoom) * 6));
  }

  private matrix(input: CustomRenderMethodInput): Float32Array {
    return localMatrix(input.defaultProjectionData.mainMatrix as ArrayLike<number>, this.field);
  }
}
