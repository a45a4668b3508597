import type { Map as MapLibreMap } from 'maplibre-gl';
import { LightTarget, Program } from './gl.ts';
import { mercator } from './mercator.ts';
import { layFragment, screenVertex } from './shaders.ts';

/** How much larger than the window the picture is: short pans need no new one. */
const margin = 1.5;

interface PictureView {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
  ratio: number;
}

/**
 * All dots of a city as one picture, made once for a zoom and moved while the map is only panned: a frame of panning
 * costs the same for ten dots and a hundred thousand.
 */
export class DotPicture {
  private readonly gl: WebGL2RenderingContext;
  private readonly lay: Program;
  private readonly empty: WebGLVertexArrayObject;
  private readonly target: LightTarget;
  private made: PictureView | null = null;

  constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.lay = new Program(gl, screenVertex, layFragment);
    this.empty = gl.createVertexArray();
    this.target = new LightTarget(gl, false);
  }

  /** Draws it anew where it does not serve any more. `draw` gets the factor by which clip positions shrink. */
  make(map: MapLibreMap, isOld: boolean, draw: (shrink: number) => void): void {
    const view = viewOf(map);
    if (!isOld && this.serves(view)) return;
    const { gl, target } = this;
    const [width, height] = [Math.ceil(view.width * view.ratio * margin), Math.ceil(view.height * view.ratio * margin)];
    this.made = view;
    target.resize(width, height);
    for (const test of [gl.DEPTH_TEST, gl.STENCIL_TEST, gl.SCISSOR_TEST, gl.CULL_FACE]) gl.disable(test);
    gl.colorMask(true, true, true, true);
    target.begin(width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.FUNC_ADD);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    draw(1 / margin);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
  }

  /** Lays it over the ground where the map is now; blending is premultiplied alpha. */
  layOver(map: MapLibreMap): void {
    const { gl, lay, target } = this;
    const [right, down] = this.moved(viewOf(map));
    const part = 1 / margin;
    gl.bindVertexArray(this.empty);
    lay.use().texture('u_glow', 0, target.texture);
    gl.uniform4f(lay.at('u_uv'), part * ((margin - 1) / 2 + right), part * ((margin - 1) / 2 - down), part, part);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindVertexArray(null);
  }

  delete(): void {
    this.lay.delete();
    this.target.delete();
    this.gl.deleteVertexArray(this.empty);
  }

  private serves(view: PictureView): boolean {
    const { made } = this;
    if (
      !made ||
      made.zoom !== view.zoom ||
      made.width !== view.width ||
      made.height !== view.height ||
      made.ratio !== view.ratio
    )
      return false;
    const [right, down] = this.moved(view);
    return Math.abs(right) < (margin - 1) / 2 && Math.abs(down) < (margin - 1) / 2;
  }

  /** How far the view went since the picture was made, in widths to the right and heights down. */
  private moved(view: PictureView): [number, number] {
    if (!this.made) return [0, 0];
    const world = 512 * 2 ** view.zoom;
    return [((view.x - this.made.x) * world) / view.width, ((view.y - this.made.y) * world) / view.height];
  }
}

function viewOf(map: MapLibreMap): PictureView {
  const { lng, lat } = map.getCenter();
  const [x, y] = mercator(lng, lat);
  const { clientWidth: width, clientHeight: height } = map.getCanvas();
  return { x, y, zoom: map.getZoom(), width, height, ratio: map.getPixelRatio() };
}
