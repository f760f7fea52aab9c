// A game of breakout: a ball, a paddle moved by a potentiometer, and a wall of
// bricks, drawn with rectangles on the board's display.

import { chip_analog_read, chip_delay, print_int } from "../board";
import { display_fill_rect, display_height, display_setup, display_width } from "../board";
import { print } from "../print";

const POTENTIOMETER: i32 = 36;
const ANALOG_RANGE: i32 = 4096;
const FRAME_MILLISECONDS: i32 = 16;

const BLACK: i32 = 0x0000;
const WHITE: i32 = 0xffff;
const GREY: i32 = 0x8410;

const PADDLE_WIDTH: i32 = 24;
const PADDLE_HEIGHT: i32 = 4;
const PADDLE_GAP: i32 = 6;
const BALL: i32 = 3;

const ROWS: i32 = 4;
const COLUMNS: i32 = 8;
const BRICK_HEIGHT: i32 = 6;
const WALL_TOP: i32 = 12;

const LIVES: i32 = 3;

export let score: i32 = 0;
export let lives: i32 = 0;

export let ballX: i32 = 0;
export let ballY: i32 = 0;
export let speedX: i32 = 0;
export let speedY: i32 = 0;
export let paddleX: i32 = 0;

let width: i32 = 0;
let height: i32 = 0;

// One bit for each column that still stands.
const wall = memory.data(4);

function brickWidth(): i32 {
  return width / COLUMNS;
}

function paddleY(): i32 {
  return height - PADDLE_GAP - PADDLE_HEIGHT;
}

function rowColor(row: i32): i32 {
  switch (row) {
    case 0: return 0xf800;
    case 1: return 0xfd20;
    case 2: return 0xffe0;
    default: return 0x07e0;
  }
}

function standing(row: i32, column: i32): bool {
  return ((load<u8>(wall + row) >> (column as u8)) & 1) != 0;
}

function knockOut(row: i32, column: i32): void {
  store<u8>(wall + row, load<u8>(wall + row) & ~(1 << (column as u8)));
}

function wallIsGone(): bool {
  return load<u32>(wall) == 0;
}

function drawBrick(row: i32, column: i32, color: i32): void {
  const x = column * brickWidth();
  const y = WALL_TOP + row * BRICK_HEIGHT;
  display_fill_rect(x, y, brickWidth() - 1, BRICK_HEIGHT - 1, color);
}

function buildWall(): void {
  for (let row = 0; row < ROWS; row++) {
    store<u8>(wall + row, 0xff);
    for (let column = 0; column < COLUMNS; column++) drawBrick(row, column, rowColor(row));
  }
}

function serve(): void {
  ballX = width / 2;
  ballY = height / 2;
  speedX = 1;
  speedY = 2;
}

function movePaddle(): void {
  const next = chip_analog_read(POTENTIOMETER) * (width - PADDLE_WIDTH) / (ANALOG_RANGE - 1);
  if (next == paddleX) return;
  display_fill_rect(paddleX, paddleY(), PADDLE_WIDTH, PADDLE_HEIGHT, BLACK);
  paddleX = next;
}

function drawPaddle(): void {
  display_fill_rect(paddleX, paddleY(), PADDLE_WIDTH, PADDLE_HEIGHT, GREY);
}

function drawBall(color: i32): void {
  display_fill_rect(ballX, ballY, BALL, BALL, color);
}

function bounceOffSides(): void {
  if (ballX < 0) {
    ballX = 0;
    speedX = -speedX;
  } else if (ballX > width - BALL) {
    ballX = width - BALL;
    speedX = -speedX;
  }
  if (ballY < 0) {
    ballY = 0;
    speedY = -speedY;
  }
}

function bounceOffPaddle(): void {
  if (ballY + BALL <= paddleY() || ballY >= paddleY() + PADDLE_HEIGHT) return;
  if (ballX + BALL <= paddleX || ballX >= paddleX + PADDLE_WIDTH) return;
  speedY = -speedY;
  // The further from the middle, the flatter the ball leaves.
  speedX = (ballX + BALL / 2 - paddleX - PADDLE_WIDTH / 2) / 4;
}

function bounceOffWall(): void {
  const row = (ballY + BALL / 2 - WALL_TOP) / BRICK_HEIGHT;
  const column = (ballX + BALL / 2) / brickWidth();
  if (ballY + BALL / 2 < WALL_TOP || row >= ROWS || column >= COLUMNS) return;
  if (!standing(row, column)) return;
  knockOut(row, column);
  drawBrick(row, column, BLACK);
  speedY = -speedY;
  score += ROWS - row;
  print_int(score);
}

// One picture of the game; false when the ball is lost.
function frame(): bool {
  drawBall(BLACK);
  movePaddle();
  ballX += speedX;
  ballY += speedY;
  if (ballY > height - BALL) return false;
  bounceOffSides();
  bounceOffPaddle();
  bounceOffWall();
  drawPaddle();
  drawBall(WHITE);
  return true;
}

function play(): void {
  display_fill_rect(0, 0, width, height, BLACK);
  score = 0;
  lives = LIVES;
  buildWall();
  serve();
  while (lives > 0 && !wallIsGone()) {
    if (!frame()) {
      lives -= 1;
      serve();
    }
    chip_delay(FRAME_MILLISECONDS);
  }
  print(wallIsGone() ? "the wall is gone" : "game over");
}

export function main(): void {
  display_setup();
  width = display_width();
  height = display_height();
  while (true) {
    play();
    chip_delay(2000);
  }
}
