const server = "http://localhost:8000/api/v1";
const headers = { "Content-Type": "application/json" };

const post = async (path, body) => (await fetch(server + path, { method: "POST", headers, body: JSON.stringify(body) })).json();

headers.Authorization = `Bearer ${(await post("/guests", {})).token}`;
await post("/games", { rules: "3x3", seats: [{ for: "me" }, { for: "computer", level: "easy" }] });

let text = "";
const stream = await fetch(`${server}/stream`, { headers });
read: for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
  const lines = (text + chunk).split("\n");
  text = lines.pop();
  for (const { type, game } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
    if (type === "your_turn") {
      const command = { type: "move", move: game.legal[Math.floor(Math.random() * game.legal.length)] };
      await post(`/games/${game.id}/commands`, { command, seq: game.seq, key: `${game.seq}` });
    } else if (type === "game_ended") {
      console.log(game.moves, game.result);
      break read;
    }
  }
}
