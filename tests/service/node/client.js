// A client in Node.js: the floors of a deal, the dealer's best trump while it is being found, and a hint for a bot.
//   npm install @grpc/grpc-js @grpc/proto-loader && node client.js localhost:50051
const path = require("path");
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const proto = path.join(__dirname, "..", "..", "..", "proto");
const files = ["solve", "advice"].map((name) => `tierce/v1/${name}.proto`);
const options = { includeDirs: [proto], keepCase: true, longs: Number };
const { tierce } = grpc.loadPackageDefinition(loader.loadSync(files, options));
const target = process.argv[2] || "localhost:50051";
const solve = new tierce.v1.SolveService(target, grpc.credentials.createInsecure());
const advice = new tierce.v1.AdviceService(target, grpc.credentials.createInsecure());
const soon = () => ({ deadline: Date.now() + 30000 });
// A Struct as an object of numbers.
const numbers = (struct) =>
  Object.fromEntries(Object.entries(struct.fields).sort().map(([name, value]) => [name, value.numberValue]));

const question = { deal: "D:.9.T8.T A.5.7.Q T.J.A.K", trump: "D" };
solve.Solve({ question }, soon(), (error, answer) => {
  if (error) throw error;
  console.log(answer.kind, JSON.stringify(numbers(answer.tricks)), "surplus", answer.surplus);
  solve.Solve({ question: { ...question, trump: "X" } }, soon(), (error) => console.log("refused:", error.details));
});

const deal = "D:J863.KQT986.QJT.A32 AKQ752.J7.7653.KJ96 T9.A53.AK9842.Q8754 / 4.42..T";
const call = advice.DealerAdvice({ deal, find: "FIND_ONE", partial: true }, soon());
call.on("data", (found) => found.complete && console.log("best:", found.best.trump, found.best.tricks, found.best.discard));
call.on("error", (error) => { throw error; });

const view = { tierce_view: 1, game: "raf", seat: "E", phase: "PLAY", trump: "C", tricks: ["SK SQ S4"],
  results: [{ dealer: 1, tricks: { D: 4, E: 6, M: 6 } }], hand: "87.2J74.A53.KQT753",
  exchange: [{ from: "E", to: "M", sent: "S2 DK C8", returned: "SK DA CK" }] };
const asked = { view: Buffer.from(JSON.stringify(view)), worlds: 12 };
advice.Hint(asked, soon(), (error, hint) => {
  if (error) throw error;
  console.log("hint:", hint.decision, hint.seat, hint.tried > 1 ? "of several" : hint.method, hint.best.card);
});
