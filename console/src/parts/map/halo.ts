import { LightTarget, Program } from './gl.ts';
import type { LampGpu } from './lamp-gpu.ts';
import { profile } from './light.ts';
import { blurFragment, layFragment, screenVertex, splatFragment, splatVertex, sumFragment } from './shaders.ts';

/** How much larger than the window the halo picture is: lamps just outside shine in, and short pans need no new one. */
const margin = 1.36;
/** Lamps this far beyond the window still reach into it; the rest of the margin may be panned away. */
const reach = 0.1;
const near = profile.wide[0].sigma;
/** The least spread the targets are made for (see zoomLight). */
const leastSpread = 0.72;
/** Taps of the blur stand for two sigmas; distances in texels of the near picture. */
const middleStep = Math.sqrt(profile.wide[1].sigma ** 2 - near ** 2) / near / 2;
const farStep = Math.sqrt(profile.wide[2].sigma ** 2 - profile.wide[1].sigma ** 2) / near / 2;

/** What the halo picture was made for. Positions in Mercator 0…1. */
export interface HaloView {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
  spread: number;
  gain: number;
}

/**
 * The wide halos of all lamps together: lamps are added up in a picture whose texel is as wide as the smallest halo,
 * that picture is blurred twice, and the sum is laid over the ground. It costs the same for ten lamps and a hundred
 * thousand, light adds up as light does because sums are kept in half floats, and while the map is only panned the
 * picture is moved instead of made again.
 */
export class Halo {
  private readonly gl: WebGL2RenderingContext;
  private readonly programs: Record<'splat' | 'blur' | 'sum' | 'lay', Program>;
  private readonly empty: WebGLVertexArrayObject;
  private readonly targets: Record<'near' | 'half' | 'middle' | 'farHalf' | 'far' | 'glow', LightTarget>;
  private readonly scale: number;
  private made: HaloView | null = null;
  private used = { width: 4, height: 4 };

  constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    const float = Boolean(gl.getExtension('EXT_color_buffer_float') ?? gl.getExtension('EXT_color_buffer_half_float'));
    this.scale = float ? 1 : 0.2;
    this.programs = {
      splat: new Program(gl, splatVertex, splatFragment),
      blur: new Program(gl, screenVertex, blurFragment),
      sum: new Program(gl, screenVertex, sumFragment),
      lay: new Program(gl, screenVertex, layFragment),
    };
    this.empty = gl.createVertexArray();
    const light = () => new LightTarget(gl, float);
    this.targets = {
      near: light(),
      half: light(),
      middle: light(),
      farHalf: light(),
      far: light(),
      glow: new LightTarget(gl, false),
    };
  }

  /** Whether the picture made last still serves this view. */
  serves(view: HaloView): boolean {
    const { made } = this;
    if (
      !made ||
      made.zoom !== view.zoom ||
      made.width !== view.width ||
      made.height !== view.height ||
      made.gain !== view.gain
    )
      return false;
    const [right, down] = this.moved(view);
    const slack = (margin - 1) / 2 - reach;
    return Math.abs(right) < slack && Math.abs(down) < slack;
  }

  /** Adds the lamps up and blurs. Leaves the window's framebuffer and viewport in force. */
  gather(lamps: LampGpu, matrix: Float32Array, view: HaloView): void {
    const { gl, targets } = this;
    const { splat, blur } = this.programs;
    this.made = view;
    this.fit(view);
    const { width, height } = this.used;
    for (const test of [gl.DEPTH_TEST, gl.STENCIL_TEST, gl.SCISSOR_TEST, gl.CULL_FACE]) gl.disable(test);
    gl.colorMask(true, true, true, true);
    gl.clearColor(0, 0, 0, 0);
    targets.near.begin(width, height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.FUNC_ADD);
    gl.blendFunc(gl.ONE, gl.ONE);
    splat.use().numbers({ u_margin: margin, u_scale: this.scale });
    gl.uniformMatrix4fv(splat.at('u_matrix'), false, matrix);
    lamps.draw();
    gl.disable(gl.BLEND);
    gl.bindVertexArray(this.empty);
    blur.use();
    this.pass(targets.near, targets.half, [width, height], [width, height], middleStep, 0);
    this.pass(targets.half, targets.middle, [width, height], [width, height], 0, middleStep);
    this.pass(targets.middle, targets.farHalf, [width, height], [width / 4, height / 4], farStep, 0);
    this.pass(targets.farHalf, targets.far, [width / 4, height / 4], [width / 4, height / 4], 0, farStep / 4);
    this.addUp(view.gain);
    gl.bindVertexArray(null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
  }

  /** Lays the halos over the ground drawn so far. */
  layOver(view: HaloView): void {
    const { gl, used } = this;
    const { lay } = this.programs;
    const { glow } = this.targets;
    const [right, down] = this.moved(view);
    const uvWidth = used.width / glow.width / margin;
    const uvHeight = used.height / glow.height / margin;
    gl.bindVertexArray(this.empty);
    lay.use().texture('u_glow', 0, glow.texture);
    gl.uniform4f(
      lay.at('u_uv'),
      uvWidth * ((margin - 1) / 2 + right),
      uvHeight * ((margin - 1) / 2 - down),
      uvWidth,
      uvHeight,
    );
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.ONE, gl.SRC_ALPHA, gl.ZERO, gl.ONE);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindVertexArray(null);
  }

  delete(): void {
    for (const program of Object.values(this.programs)) program.delete();
    for (const target of Object.values(this.targets)) target.delete();
    this.gl.deleteVertexArray(this.empty);
  }

  /** How far the view went since the picture was made, in widths to the right and heights down. */
  private moved(view: HaloView): [number, number] {
    if (!this.made) return [0, 0];
    const world = 512 * 2 ** view.zoom;
    return [((view.x - this.made.x) * world) / view.width, ((view.y - this.made.y) * world) / view.height];
  }

  private fit({ width, height, spread }: HaloView): void {
    const texels = (length: number, texel: number) => Math.max(4, Math.ceil((length * margin) / texel / 4) * 4);
    const full = { width: texels(width, near * leastSpread), height: texels(height, near * leastSpread) };
    const { farHalf, far, ...others } = this.targets;
    for (const target of Object.values(others)) target.resize(full.width, full.height);
    for (const target of [farHalf, far]) target.resize(full.width / 4, full.height / 4);
    this.used = {
      width: Math.min(full.width, texels(width, near * spread)),
      height: Math.min(full.height, texels(height, near * spread)),
    };
  }

  /** Blurs the used part of `from` into a part of `to`; steps in texels of `from`. */
  private pass(from: LightTarget, to: LightTarget, source: Size, target: Size, stepX: number, stepY: number): void {
    const { gl } = this;
    const { blur } = this.programs;
    to.begin(...target);
    blur.texture('u_source', 0, from.texture);
    const limitX = source[0] / from.width;
    const limitY = source[1] / from.height;
    gl.uniform4f(blur.at('u_uv'), 0, 0, limitX, limitY);
    gl.uniform2f(blur.at('u_limit'), limitX, limitY);
    gl.uniform2f(blur.at('u_step'), stepX / from.width, stepY / from.height);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private addUp(gain: number): void {
    const { gl, targets, used } = this;
    const { sum } = this.programs;
    targets.glow.begin(used.width, used.height);
    sum
      .use()
      .texture('u_near', 0, targets.near.texture)
      .texture('u_middle', 1, targets.middle.texture)
      .texture('u_far', 2, targets.far.texture);
    sum.numbers({ u_gain: gain / (2 * Math.PI * near * near * this.scale) });
    gl.uniform4f(sum.at('u_uv'), 0, 0, used.width / targets.near.width, used.height / targets.near.height);
    gl.uniform2f(
      sum.at('u_farRatio'),
      targets.near.width / targets.far.width / 4,
      targets.near.height / targets.far.height / 4,
    );
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}

type Size = [width: number, height: number];
