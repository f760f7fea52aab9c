// The first fall of a game of breakout: the ball comes down from the top, off
// one side, and after 259 frames it is as low as the paddle. A joystick places
// the paddle, read once per frame.

import { chip_analog_read, chip_delay } from "../board";
import { display_fill_rect, display_height, display_setup, display_width } from "../board";
import { print } from "../print";

const JOYSTICK: i32 = 2;
const ANALOG_RANGE: i32 = 4096;
const FRAMES: i32 = 259;
const FRAME_MILLISECONDS: i32 = 16;

const BLACK: i32 = 0x0000;
const RED: i32 = 0xf800;
const YELLOW: i32 = 0xffe0;

const BALL: i32 = 10;
const PADDLE_WIDTH: i32 = 40;
const PADDLE_HEIGHT: i32 = 5;
const PADDLE_GAP: i32 = 10;

// The ball's place and speed count sixteenths of a pixel.
const UNIT: i32 = 16;
const SPEED: i32 = 8;

let ballX: i32 = 0;
let ballY: i32 = 0;
let speedX: i32 = SPEED;
let speedY: i32 = SPEED;
let paddleX: i32 = 0;

let width: i32 = 0;
let height: i32 = 0;

function paddleY(): i32 {
  return height - PADDLE_GAP;
}

// In the middle, and as high as it takes to fall for so many frames.
function serve(): void {
  ballX = (width - BALL) / 2 * UNIT;
  ballY = (paddleY() - BALL) * UNIT - FRAMES * SPEED;
}

function drawPaddle(color: i32): void {
  display_fill_rect(paddleX, paddleY(), PADDLE_WIDTH, PADDLE_HEIGHT, color);
}

function drawBall(color: i32): void {
  display_fill_rect(ballX / UNIT, ballY / UNIT, BALL, BALL, color);
}

function movePaddle(): void {
  drawPaddle(BLACK);
  paddleX = chip_analog_read(JOYSTICK) * (width - PADDLE_WIDTH) / (ANALOG_RANGE - 1);
  drawPaddle(YELLOW);
}

function moveBall(): void {
  drawBall(BLACK);
  ballX += speedX;
  ballY += speedY;
  if (ballX < 0 || ballX > (width - BALL) * UNIT) speedX = -speedX;
  if (ballY < 0) speedY = -speedY;
  drawBall(RED);
}

function bounceOffPaddle(): void {
  if (ballY / UNIT + BALL < paddleY()) return;
  if (ballX / UNIT + BALL > paddleX && ballX / UNIT < paddleX + PADDLE_WIDTH) {
    speedY = -speedY;
    print("caught\n");
  } else {
    print("missed\n");
  }
}

function frame(): void {
  movePaddle();
  moveBall();
  bounceOffPaddle();
  chip_delay(FRAME_MILLISECONDS);
}

export function main(): void {
  display_setup();
  width = display_width();
  height = display_height();
  serve();
  for (let i = 0; i < FRAMES; i++) frame();
}
