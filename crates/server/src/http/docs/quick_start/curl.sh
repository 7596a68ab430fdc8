server=http://localhost:8000/api/v1
json='Content-Type: application/json'
field() { grep -o "\"$1\":\"\{0,1\}[^\",}]*" | head -n 1 | sed 's/.*://; s/"//'; }

# A guest, and their token.
token=$(curl -s -X POST $server/guests | field token)

# A game against the computer.
game=$(curl -s $server/games -H "Authorization: Bearer $token" -H "$json" \
    -d '{"rules": "3x3", "seats": [{"for": "me"}, {"for": "computer", "level": "easy"}]}')
id=$(echo "$game" | field id)
seq=$(echo "$game" | field seq)

# A move. The key makes it safe to send it again.
curl -s $server/games/$id/commands -H "Authorization: Bearer $token" -H "$json" \
    -d '{"command": {"type": "move", "move": "B2"}, "seq": '$seq', "key": "first"}'

# All that happens in the game, as lines of JSON, for two seconds.
curl -sN --max-time 2 $server/games/$id/stream || true
